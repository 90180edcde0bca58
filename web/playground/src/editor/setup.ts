// The configuration shared by all editors of the page. Tab moves the focus, which is CodeMirror's default.

import { syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, drawSelection, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { defaultKeymap } from "@codemirror/commands";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { classHighlighter } from "@lezer/highlight";

/** The nonce that index.html allows for styles, because CodeMirror makes its own style sheet. */
const NONCE = "codemirror";

const nonce = EditorView.cspNonce.of(NONCE);

/** An editor without a text, whose state is set later. */
export function emptyView(parent: HTMLElement): EditorView {
  return new EditorView({ parent, extensions: nonce });
}

/** @param numberOf the number of a line, if it differs from its place in the text */
export function common(label: string, numberOf: (line: number) => number = (line) => line): Extension {
  return [
    nonce,
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    lineNumbers({ formatNumber: (line) => String(numberOf(line)) }),
    highlightSpecialChars(),
    drawSelection(),
    search({ top: true }),
    highlightSelectionMatches(),
    syntaxHighlighting(classHighlighter),
    keymap.of([...defaultKeymap, ...searchKeymap]),
  ];
}

/** A text that can be read, searched and copied, but not changed. */
export function readOnly(): Extension {
  return [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ "aria-readonly": "true", inputmode: "none" })];
}
