// A view of output text: files one after another, each below its name. A line is highlighted together with its source lines.

import { EditorState, type Extension, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType, hoverTooltip, keymap, type Tooltip } from "@codemirror/view";
import { language, type LanguageName } from "../editor/languages.ts";
import { common, emptyView, readOnly } from "../editor/setup.ts";
import { describeKey } from "../editor/describe.ts";
import { type Lines, type Lit, markLines, markedLines, pointedLine } from "../lines.ts";
import { h } from "../ui/dom.ts";

/** A text with the source lines of each line. */
export interface Part {
  /** The title above the text; null if it is the only one. */
  title: string | null;
  text: string;
  sources: readonly (readonly string[])[];
}

export interface Content {
  parts: readonly Part[];
  language: LanguageName | null;
  /** The meaning of a line, counted from 0. */
  meaning?: (line: number) => HTMLElement | null;
}

/** Longer texts have no colours. */
const LONGEST = 500_000;

class Title extends WidgetType {
  constructor(private readonly title: string) {
    super();
  }

  override eq(other: Title): boolean {
    return other.title === this.title;
  }

  override toDOM(): HTMLElement {
    return h("div", { class: "file-title" }, this.title);
  }
}

function titles(parts: readonly Part[]): Extension {
  let at = 0;
  const widgets = parts.flatMap(({ title, text }) => {
    const start = at;
    at += text.length + 1;
    return title === null ? [] : [Decoration.widget({ widget: new Title(title), block: true, side: -1 }).range(start)];
  });
  return StateField.define<DecorationSet>({
    create: () => Decoration.set(widgets),
    update: (shown) => shown,
    provide: (field) => EditorView.decorations.from(field),
  });
}

export class CodeView {
  private readonly view: EditorView;
  private sources: readonly (readonly string[])[] = [];
  private isPointing = false;

  /** @param jump goes to the source of a line */
  constructor(parent: HTMLElement, private readonly lines: Lines, private readonly jump: (source: string) => void) {
    this.view = emptyView(parent);
    lines.listen((lit) => this.mark(lit));
  }

  show({ parts, language: name, meaning }: Content): void {
    const shown = parts.map((part) => ({ ...part, text: part.text.replace(/\n$/, "") }));
    const doc = shown.map(({ text }) => text).join("\n");
    const lines = shown.flatMap(({ text, sources }) =>
      text.split("\n").map((_, line) => ({ number: line + 1, sources: sources[line] ?? [] })));
    this.sources = lines.map(({ sources }) => sources);
    const describe = meaning && ((view: EditorView, at: number) => this.tooltip(view, at, meaning));
    this.view.setState(EditorState.create({
      doc,
      extensions: [
        common("Output", (line) => lines[line - 1]?.number ?? line),
        readOnly(),
        titles(shown),
        markedLines,
        name && doc.length < LONGEST ? language(name) : [],
        describe ? [hoverTooltip(describe, { hoverTime: 150 }), describeKey(describe)] : [],
        keymap.of([{ key: "Enter", run: (view) => this.jumpFrom(view) }]),
        EditorView.domEventHandlers({ dblclick: (_, view) => void this.jumpFrom(view) }),
        pointedLine((line) => line !== null && this.point(line)),
        EditorView.updateListener.of(({ selectionSet, state }) => {
          if (selectionSet) this.point(state.doc.lineAt(state.selection.main.head).number);
        }),
      ],
    }));
    this.mark(this.lines.now);
  }

  private tooltip(view: EditorView, at: number, meaning: NonNullable<Content["meaning"]>): Tooltip | null {
    const line = view.state.doc.lineAt(at);
    const dom = meaning(line.number - 1);
    return dom && { pos: line.from, end: line.to, above: true, create: () => ({ dom }) };
  }

  private point(line: number): void {
    const sources = this.sources[line - 1] ?? [];
    if (sources.length === 0) return;
    this.isPointing = true;
    this.lines.light(sources);
    this.isPointing = false;
  }

  private jumpFrom({ state }: EditorView): boolean {
    const [source] = this.sources[state.doc.lineAt(state.selection.main.head).number - 1] ?? [];
    if (source !== undefined) this.jump(source);
    return source !== undefined;
  }

  private mark(lit: Lit): void {
    const lines = this.sources.flatMap((sources, at) => (sources.some((source) => lit.has(source)) ? [at + 1] : []));
    const reveal = !this.isPointing;
    // CodeMirror forbids changes to a view during an update.
    queueMicrotask(() => markLines(this.view, lines, reveal));
  }
}
