// The pane with the sources: a tab for each file, and an editor for the selected file.

import { history, historyKeymap } from "@codemirror/commands";
import { setDiagnostics, lintGutter, lintKeymap } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, keymap } from "@codemirror/view";
import type { Compiler } from "../compiler.ts";
import { type Lines, lineKey, markLines, markedLines, pointedLine } from "../lines.ts";
import type { Service } from "../service.ts";
import type { SourceFile } from "../state.ts";
import type { Store } from "../store.ts";
import { byId, debounced } from "../ui/dom.ts";
import { Tabs } from "../ui/tabs.ts";
import type { Agalc } from "../workers/agalc.ts";
import type { Document } from "../workers/language.ts";
import { language } from "./languages.ts";
import { offsetOf, squiggleOf } from "./places.ts";
import { format, serverSupport, showAnalysis } from "./server.ts";
import { common, emptyView, readOnly } from "./setup.ts";
import { semanticTokens } from "./tokens.ts";

/** The delay after the last key before the text is processed. */
const DELAY = 100;
/** Longer texts get no colours, and the language server does not see them. */
const LONGEST = 200_000;

/** The kind of a text, by which it is handled. */
type Kind = "agal" | "module" | "toml" | "plain";

interface Shown {
  name: string;
  /** The text or the bytes that the editor shows. */
  data: SourceFile["data"];
  kind: Kind;
}

export class SourcePane {
  private readonly view: EditorView;
  private readonly tabs: Tabs;
  private readonly support = new Compartment();
  /** The editors of files that are not shown, with their histories. */
  private readonly kept = new Map<string, { shown: Shown; state: EditorState }>();
  private shown: Shown = { name: "", data: "", kind: "plain" };
  private readonly typed = debounced(DELAY, () => this.store.write({ name: this.shown.name, data: this.view.state.doc.toString() }));

  constructor(
    private readonly store: Store,
    private readonly service: Service<Agalc>,
    private readonly compiler: Compiler,
    private readonly lines: Lines,
  ) {
    this.tabs = new Tabs(byId("files"), byId("editor"), (file) => {
      this.typed.flush();
      store.set({ file });
    });
    this.view = emptyView(byId("editor"));
    store.listen(() => void this.update());
    lines.listen(() => this.markLit(true));
    byId("format").addEventListener("click", () => void format(service, this.view, this.document()));
    byId("as-text").addEventListener("click", () => store.write({ name: this.shown.name, data: this.view.state.doc.toString() }));
    void this.update();
  }

  /** Shows a location in a file. */
  go(file: string, line: number, column: number): void {
    this.typed.flush();
    this.store.set({ file });
    const at = offsetOf(this.view.state.doc, line, column);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  private document(): Document {
    const { name } = this.shown;
    const { programs } = this.store.scene;
    const stage = programs.length === 2 ? [".vert", ".frag"][programs.indexOf(name)] ?? "" : "";
    // If a text does not state its stage, the server derives the stage from the file name.
    const path = name.includes(`${stage}.`) ? name : name.replace(/(\.\w+)?$/, `${stage}.agal`);
    return { uri: `file:///${encodeURIComponent(path)}`, text: this.view.state.doc.toString() };
  }

  private async update(): Promise<void> {
    const { files, file: name } = this.store.now;
    const file = files.find((one) => one.name === name) ?? files[0];
    this.tabs.show(files.map(({ name }) => ({ id: name, label: name })), file?.name ?? "");
    if (!file) return;
    const isOther = file.name !== this.shown.name;
    if (!isOther && file.data === this.shown.data) return this.check();
    if (!isOther && file.data === this.view.state.doc.toString() && typeof this.shown.data === "string") {
      this.shown = { ...this.shown, data: file.data };
      return this.check();
    }
    await this.show(file, isOther);
  }

  /** Puts another file, or another text, into the editor. */
  private async show(file: SourceFile, isOther: boolean): Promise<void> {
    this.typed.cancel();
    if (isOther) this.kept.set(this.shown.name, { shown: this.shown, state: this.view.state });
    const kept = this.kept.get(file.name);
    const { data } = file;
    byId("as-text").hidden = typeof data === "string";
    if (isOther && kept?.shown.data === data) {
      this.shown = kept.shown;
      this.view.setState(kept.state);
    } else if (!isOther && typeof data === "string" && !this.view.state.readOnly) {
      // The user can undo a change that the page's controls have made.
      this.shown = { ...this.shown, data };
      this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: data } });
      this.typed.cancel();
    } else {
      this.shown = { name: file.name, data, kind: "plain" };
      this.view.setState(this.newState(typeof data === "string" ? data : "", typeof data !== "string"));
    }
    if (typeof file.data !== "string") await this.disassemble(file);
    this.markLit(false);
    await this.check();
  }

  private async disassemble(file: SourceFile): Promise<void> {
    const text = await this.service.call("asText", [file]).catch((error: Error) => `(${error.message})`);
    if (this.shown.data === file.data) this.view.setState(this.newState(text, true));
  }

  private newState(doc: string, isBinary: boolean): EditorState {
    return EditorState.create({
      doc,
      extensions: [
        common("Source text"),
        history(),
        keymap.of(historyKeymap),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        semanticTokens,
        markedLines,
        isBinary ? readOnly() : [],
        this.support.of([]),
        pointedLine((line) => this.point(line ?? this.cursorLine())),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && typeof this.shown.data === "string") this.typed.schedule();
          if (update.selectionSet || update.docChanged) this.point(this.cursorLine());
        }),
      ],
    });
  }

  private cursorLine(): number {
    const { doc, selection } = this.view.state;
    return doc.lineAt(selection.main.head).number;
  }

  private point(line: number): void {
    this.isPointing = true;
    this.lines.light([lineKey(this.shown.name, line)]);
    this.isPointing = false;
  }

  /** Whether this editor highlights the lines; if so, it does not scroll. */
  private isPointing = false;

  private markLit(reveal: boolean): void {
    const prefix = `${this.shown.name}:`;
    const lines = [...this.lines.now].filter((key) => key.startsWith(prefix)).map((key) => Number(key.slice(prefix.length)));
    const shows = reveal && !this.isPointing;
    // CodeMirror forbids changes to an editor during an update.
    queueMicrotask(() => markLines(this.view, lines.sort((a, b) => a - b), shows));
  }

  /** Determines the kind of the text, and checks it. */
  private async check(): Promise<void> {
    const { shown } = this;
    const isProgram = this.store.scene.programs.includes(shown.name);
    const text = this.view.state.doc.toString();
    const isLong = text.length > LONGEST;
    this.note(isLong ? "This text is too long for highlighting and completion, but it is still translated." : this.binaryNote());
    const kind = isLong ? "plain" : isProgram ? await this.detect(text) : shown.name.endsWith(".toml") ? "toml" : "plain";
    if (this.shown !== shown) return;
    this.useSupport(kind);
    byId("format").hidden = kind !== "agal" || typeof shown.data !== "string";
    if (kind === "agal") await this.analyse();
    else if (isProgram) await this.validate();
  }

  private binaryNote(): string {
    return typeof this.shown.data === "string" ? "" : "This is a binary file, shown as text. The file itself is translated.";
  }

  private note(text: string): void {
    const note = byId("source-note");
    note.textContent = text;
    note.hidden = text === "";
  }

  private async detect(text: string): Promise<Kind> {
    const kind = await this.service.call("detect", [text], { key: "detect" }).catch(() => "");
    if (kind.startsWith("AGAL text")) return "agal";
    return kind === "SDLSHADERBC text" ? "module" : "plain";
  }

  private useSupport(kind: Kind): void {
    if (this.shown.kind === kind) return;
    this.shown.kind = kind;
    const extensions: Record<Kind, () => Extension> = {
      agal: () => serverSupport(this.service, () => this.document()),
      module: () => [language("module"), lintGutter(), keymap.of(lintKeymap)],
      toml: () => language("toml"),
      plain: () => [lintGutter(), keymap.of(lintKeymap)],
    };
    this.view.dispatch({ effects: this.support.reconfigure(extensions[kind]()) });
  }

  private async analyse(): Promise<void> {
    const document = this.document();
    try {
      const analysis = await this.service.call("analyse", [document], { key: "analyse" });
      if (this.document().uri === document.uri && this.view.state.doc.toString() === document.text) showAnalysis(this.view, analysis);
    } catch {
      // The text keeps its old colours. If agalc cannot read the text, the outputs show the error.
    }
  }

  /** Shows squiggles for a program that the language server does not read. */
  private async validate(): Promise<void> {
    const { name } = this.shown;
    const found = await this.compiler.validated().then(({ diagnostics }) => diagnostics, (error) => error.diagnostics ?? []);
    if (this.shown.name !== name) return;
    const { doc } = this.view.state;
    const own = (found as Awaited<ReturnType<Compiler["validated"]>>["diagnostics"]).filter(({ file }) => file === name);
    this.view.dispatch(setDiagnostics(this.view.state, own.flatMap((one) => squiggleOf(doc, one))));
  }
}
