// The pane with the outputs: each output has a tab, and is made when the tab is shown.

import type { Translation } from "agalc";
import { type Compiler, type TextFormat } from "../compiler.ts";
import type { Lines } from "../lines.ts";
import { Cancelled } from "../service.ts";
import type { Store } from "../store.ts";
import { byId, h } from "../ui/dom.ts";
import { type Tab, Tabs } from "../ui/tabs.ts";
import { CodeView } from "./code.ts";
import { FORMATS, type OutputFile, dumpContent, outputFiles, translationContent } from "./contents.ts";
import { type Go, failure, findings, validation } from "./findings.ts";
import { reflection } from "./reflection.ts";

const isText = (id: string): id is TextFormat => id in FORMATS;

export class OutputPane {
  private readonly tabs: Tabs;
  private readonly code: CodeView;
  private readonly messages = byId("output-messages");
  private readonly report = byId("output-report");
  private counts = { errors: 0, others: 0 };

  constructor(private readonly store: Store, private readonly compiler: Compiler, lines: Lines, private readonly go: Go) {
    this.tabs = new Tabs(byId("outputs"), byId("output-panel"), (output) => store.set({ output }));
    this.code = new CodeView(byId("output-code"), lines, (source) => {
      const [, file = "", line = "1"] = /^(.*):(\d+)$/.exec(source) ?? [];
      go(file, Number(line), 1);
    });
    store.listen((now, before) => {
      if (now.output !== before.output) void this.update();
    });
    this.showTabs();
  }

  /** Shows the output for the current sources. */
  async update(): Promise<void> {
    const { output } = this.store.now;
    this.showTabs();
    void this.count();
    try {
      if (isText(output)) await this.translated(output);
      else if (output === "dump") await this.dumped();
      else if (output === "validation") await this.validated();
      else await this.reflected();
    } catch (error) {
      if (error instanceof Cancelled && error.by === "newer") return;
      if (output === this.store.now.output) this.failed(error as Error);
    }
  }

  private showTabs(): void {
    const { errors, others } = this.counts;
    const number = errors || others;
    const what = errors > 0 ? `${errors} errors` : `${others} warnings and notes`;
    const tabs: Tab[] = [
      ...Object.entries(FORMATS).map(([id, { label }]) => ({ id, label })),
      { id: "dump", label: "Dump" },
      { id: "validation", label: "Validation", ...(number > 0 && { count: { number, what, isBad: errors > 0 } }) },
      { id: "reflection", label: "Reflection" },
    ];
    this.tabs.show(tabs, this.store.now.output);
  }

  private async count(): Promise<void> {
    const diagnostics = await this.compiler.validated().then((found) => found.diagnostics, () => null);
    if (!diagnostics) return;
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    this.counts = { errors, others: diagnostics.length - errors };
    this.showTabs();
  }

  private async translated(format: TextFormat): Promise<void> {
    const translation = await this.compiler.translation(format);
    if (this.store.now.output !== format) return;
    const { extension, binary } = FORMATS[format];
    this.showCode(outputFiles(translation, extension), binary && {
      label: `.${binary.extension}`,
      files: async () => outputFiles(await this.compiler.binary(binary.format), binary.extension),
    });
    this.code.show(translationContent(translation, format));
    const { diagnostics } = translation;
    this.messages.hidden = diagnostics.length === 0;
    this.messages.replaceChildren(findings(diagnostics, this.go));
  }

  private async dumped(): Promise<void> {
    const dump = await this.compiler.dump();
    if (this.store.now.output !== "dump") return;
    this.messages.hidden = true;
    this.showCode([{ name: "shader.dump.txt", contents: dump.text }]);
    this.code.show(dumpContent(dump));
  }

  private async validated(): Promise<void> {
    const found = await this.compiler.validated();
    if (this.store.now.output === "validation") this.showReport(validation(found, this.go));
  }

  private async reflected(): Promise<void> {
    const found: Translation[] = await Promise.all([this.compiler.translation("wgsl"), this.compiler.translation("glsl")]);
    if (this.store.now.output === "reflection") this.showReport(reflection(found.map(({ reflection }) => reflection)));
  }

  private failed(error: Error): void {
    const again = error instanceof Cancelled
      ? h("button", { click: () => { this.compiler.forget(); void this.update(); } }, "Try again")
      : null;
    this.showReport(h("div", {}, failure(error, this.go), again));
  }

  private showReport(content: HTMLElement): void {
    this.messages.hidden = true;
    byId("output-code").hidden = true;
    byId("output-files").replaceChildren();
    this.report.hidden = false;
    this.report.replaceChildren(content);
  }

  private showCode(files: readonly OutputFile[], more?: { label: string; files: () => Promise<OutputFile[]> }): void {
    this.report.hidden = true;
    byId("output-code").hidden = false;
    byId("output-files").replaceChildren(
      ...files.map(({ name, contents }) => h("span", { class: "file" },
        h("span", { class: "name" }, name),
        h("button", { "aria-label": `Copy ${name}`, click: (event) => void copy(event, contents) }, "Copy"),
        h("button", { "aria-label": `Download ${name}`, click: () => download({ name, contents }) }, "Download"))),
      more
        ? h("button", { class: "more", click: () => void more.files().then((all) => all.forEach(download)) }, `Download ${more.label}`)
        : "");
  }
}

async function copy(event: Event, contents: string | Uint8Array): Promise<void> {
  const button = event.currentTarget as HTMLButtonElement;
  await navigator.clipboard.writeText(typeof contents === "string" ? contents : "");
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

export function download({ name, contents }: OutputFile): void {
  const url = URL.createObjectURL(new Blob([contents as BlobPart]));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
