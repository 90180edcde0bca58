// Creates the parts of the page and connects them.

import { Compiler } from "./compiler.ts";
import { ConstantControls } from "./controls/constants.ts";
import { registers } from "./controls/registers.ts";
import { ResourceControls } from "./controls/resources.ts";
import { PicturePane } from "./draw/pane.ts";
import type { Renderer } from "./draw/interface.ts";
import { SourcePane } from "./editor/pane.ts";
import { Gallery } from "./files/gallery.ts";
import { Opening } from "./files/open.ts";
import { Lines } from "./lines.ts";
import { decode, encode } from "./link.ts";
import { OutputPane } from "./output/pane.ts";
import { Service } from "./service.ts";
import { type State, withNames } from "./state.ts";
import { Store } from "./store.ts";
import { Busy } from "./ui/busy.ts";
import { byId, debounced } from "./ui/dom.ts";
import { Tabs } from "./ui/tabs.ts";
import { setUpTheme } from "./ui/theme.ts";
import type { Agalc } from "./workers/agalc.ts";
import type { Executor } from "./workers/executor.ts";
import type { Extract } from "./workers/extract.ts";

const FIRST = "lighting";
const SIDE = 256;

/** Compiles a module once; each worker that is started receives it. */
function compiled(name: string): () => Promise<WebAssembly.Module> {
  const module = WebAssembly.compileStreaming(fetch(name));
  return () => module;
}

/** Fetches a module that few visitors need with the page, but compiles it when it is first used. */
function fetched(name: string): () => Promise<WebAssembly.Module> {
  const bytes = fetch(name).then((response) => response.arrayBuffer());
  let module: Promise<WebAssembly.Module> | undefined;
  return () => (module ??= bytes.then((bytes) => WebAssembly.compile(bytes)));
}

const nothing = () => Promise.resolve(undefined);
const services = {
  agalc: new Service<Agalc>("agalc.js", compiled("agalc_bg.wasm")),
  executor: new Service<Executor>("executor.js", compiled("executor_bg.wasm")),
  extract: new Service<Extract>("extract.js", fetched("extract_bg.wasm")),
  webgl: new Service<Renderer>("webgl.js", nothing),
  webgpu: new Service<Renderer>("webgpu.js", nothing),
};

async function firstState(gallery: Gallery, busy: Busy): Promise<State> {
  const files = withNames(gallery.files(FIRST));
  const state: State = { files, constants: [], side: SIDE, file: files[0]?.name ?? "", output: "wgsl" };
  if (location.hash.length < 2) return state;
  try {
    return await decode(location.hash.slice(1));
  } catch {
    busy.say("The link is damaged, so the first scene of the gallery is shown.");
    return state;
  }
}

function setUpPanes(): (pane: string) => void {
  const panes = [["source", "Source"], ["output", "Output"], ["picture", "Picture"]] as const;
  const items = panes.map(([id, label]) => ({ id, label }));
  const show = (pane: string) => {
    document.body.dataset.pane = pane;
    tabs.show(items, pane);
  };
  const tabs = new Tabs(byId("panes"), null, show);
  show("source");
  return show;
}

function setUpLink(store: Store, busy: Busy): void {
  const write = debounced(500, async () => {
    const fragment = await encode(store.now);
    history.replaceState(null, "", fragment === null ? location.pathname + location.search : `#${fragment}`);
  });
  store.listen(() => write.schedule());
  // This event occurs when the user enters another link in the address bar.
  window.addEventListener("hashchange", () => location.reload());
  byId("copy-link").addEventListener("click", async () => {
    const fragment = await encode(store.now);
    if (fragment === null) return busy.say("The sources are too long for a link.");
    const link = new URL(`#${fragment}`, location.href).href;
    history.replaceState(null, "", link);
    await navigator.clipboard.writeText(link);
    busy.say("The link was copied. It contains all sources.");
  });
}

async function main(): Promise<void> {
  setUpTheme();
  byId("version").textContent = `agalc ${VERSION}`;
  const showPane = setUpPanes();
  const busy = new Busy();
  busy.watch("Translating", services.agalc);
  busy.watch("Searching", services.extract);
  busy.watch("Executing", services.executor);
  busy.watch("Drawing with WebGL 2", services.webgl);
  busy.watch("Drawing with WebGPU", services.webgpu);
  const gallery = await Gallery.load();
  const store = new Store(await firstState(gallery, busy));
  const lines = new Lines();
  const compiler = new Compiler(services.agalc, store);
  compiler.refresh();
  const source = new SourcePane(store, services.agalc, compiler, lines);
  const go = (file: string, line: number, column: number) => {
    showPane("source");
    source.go(file, line, column);
  };
  const output = new OutputPane(store, compiler, lines, go);
  const picture = new PicturePane(store, compiler, services, go);
  const constants = new ConstantControls(store);
  const resources = new ResourceControls(store);
  byId("controls").append(constants.element, resources.element);
  picture.ondraw = (draw) => {
    void compiler.translation("wgsl").then(({ reflection }) => {
      constants.show(registers(reflection, draw));
      resources.show(reflection);
    }, () => {});
  };
  gallery.setUp(store);
  new Opening(store, services.agalc, services.extract, (message) => busy.say(message)).setUp();
  setUpLink(store, busy);
  store.listen((now, before) => {
    if (now.files !== before.files && compiler.refresh()) void output.update();
    if (now.files !== before.files || now.side !== before.side) void picture.update();
    else if (now.constants !== before.constants) void picture.redraw();
  });
  await Promise.all([output.update(), picture.update()]);
  document.documentElement.dataset.ready = "";
}

void main();
