// The highlighted lines of the sources. The editor and the outputs report the source lines of the line under the pointer, and all views
// highlight these source lines.

import { type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

/** Lines of sources, from 1, as `file:line`. */
export type Lit = ReadonlySet<string>;

export const lineKey = (file: string, line: number): string => `${file}:${line}`;

export class Lines {
  private lit: Lit = new Set();
  private readonly listeners: ((lit: Lit) => void)[] = [];

  get now(): Lit {
    return this.lit;
  }

  light(lines: Iterable<string>): void {
    const lit = new Set(lines);
    if (lit.size === this.lit.size && [...lit].every((line) => this.lit.has(line))) return;
    this.lit = lit;
    for (const listener of this.listeners) listener(lit);
  }

  listen(listener: (lit: Lit) => void): void {
    this.listeners.push(listener);
  }
}

const setMarked = StateEffect.define<readonly number[]>();
const mark = Decoration.line({ class: "lit" });

/** Highlights the lines given to {@link markLines}. */
export const markedLines: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marked, { changes, effects, state }) {
    for (const effect of effects) {
      if (!effect.is(setMarked)) continue;
      const builder = new RangeSetBuilder<Decoration>();
      for (const line of effect.value) {
        if (line <= state.doc.lines) builder.add(state.doc.line(line).from, state.doc.line(line).from, mark);
      }
      return builder.finish();
    }
    return marked.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks lines, in ascending order from 1. If none is visible, scrolls to the first. */
export function markLines(view: EditorView, lines: readonly number[], reveal: boolean): void {
  const effects: StateEffect<unknown>[] = [setMarked.of(lines)];
  const [first] = lines;
  if (reveal && first !== undefined && first <= view.state.doc.lines) {
    const { from, to } = view.viewport;
    const isVisible = lines.some((line) => {
      const at = line <= view.state.doc.lines ? view.state.doc.line(line).from : -1;
      return at >= from && at <= to && isInside(view, at);
    });
    if (!isVisible) effects.push(EditorView.scrollIntoView(view.state.doc.line(first).from, { y: "center" }));
  }
  view.dispatch({ effects });
}

function isInside(view: EditorView, at: number): boolean {
  const place = view.coordsAtPos(at);
  const { top, bottom } = view.scrollDOM.getBoundingClientRect();
  return place !== null && place.top >= top && place.bottom <= bottom;
}

/** Reports the line that the pointer is over, or null. */
export function pointedLine(report: (line: number | null, view: EditorView) => void): Extension {
  return EditorView.domEventHandlers({
    mousemove(event, view) {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      report(at === null ? null : view.state.doc.lineAt(at).number, view);
    },
    mouseleave(_, view) {
      report(null, view);
    },
  });
}
