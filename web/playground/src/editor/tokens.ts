// Colours from the language server's semantic tokens. Between two answers of the server, the colours move with the text.

import { RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Analysis } from "../workers/language.ts";

/** The class for each kind of token, in the words of CodeMirror's own. */
const CLASSES: Record<string, string> = {
  keyword: "tok-keyword",
  comment: "tok-comment",
  macro: "tok-meta",
  number: "tok-number",
  enumMember: "tok-string",
  property: "tok-propertyName",
  function: "tok-variableName2",
  variable: "tok-variableName",
  parameter: "tok-typeName",
  type: "tok-output",
};

const MARKS = Object.fromEntries(Object.entries(CLASSES).map(([kind, name]) => [kind, Decoration.mark({ class: name })]));

export const setTokens = StateEffect.define<Pick<Analysis, "tokens" | "legend">>();

function decorations(doc: Text, { tokens, legend }: Pick<Analysis, "tokens" | "legend">): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let [line, character] = [0, 0];
  for (let at = 0; at + 4 < tokens.length; at += 5) {
    const [lines, characters, length, kind] = tokens.slice(at, at + 4) as [number, number, number, number];
    [line, character] = [line + lines, lines > 0 ? characters : character + characters];
    if (line >= doc.lines) break;
    const from = doc.line(line + 1).from + character;
    const mark = MARKS[legend[kind] ?? ""];
    if (mark && from + length <= doc.length) builder.add(from, from + length, mark);
  }
  return builder.finish();
}

export const semanticTokens = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { changes, effects, state }) {
    const effect = effects.find((one) => one.is(setTokens));
    return effect ? decorations(state.doc, effect.value) : shown.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
