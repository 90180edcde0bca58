// The language server in an editor: squiggles, quick fixes, hover, completion and formatting.

import { type CompletionContext, type CompletionResult, autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { type Action as LintAction, type Diagnostic as Squiggle, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import type { ChangeSpec, Extension, Text } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap } from "@codemirror/view";
import type { Service } from "../service.ts";
import type { Agalc } from "../workers/agalc.ts";
import type { Action, Analysis, Document, Finding, Position, Range, TextEdit } from "../workers/language.ts";
import { inline, markdown } from "./markdown.ts";
import { describeKey } from "./describe.ts";
import { setTokens } from "./tokens.ts";

const SEVERITIES = [undefined, "error", "warning", "info", "hint"] as const;
const COMPLETION_KINDS: Record<number, string> = { 3: "function", 6: "variable", 14: "keyword", 20: "enum", 21: "constant" };

function offset(doc: Text, { line, character }: Position): number {
  if (line >= doc.lines) return doc.length;
  const { from, length } = doc.line(line + 1);
  return from + Math.min(character, length);
}

function position(doc: Text, at: number): Position {
  const line = doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
}

function changes(doc: Text, edits: readonly TextEdit[]): ChangeSpec[] {
  return edits.map(({ range, newText }) => ({ from: offset(doc, range.start), to: offset(doc, range.end), insert: newText }));
}

const isSame = (a: Range, b: Range) => JSON.stringify(a) === JSON.stringify(b);

function lintAction({ title, edit }: Action): LintAction {
  const edits = Object.values(edit.changes).flat();
  const name = title.charAt(0).toUpperCase() + title.slice(1);
  return { name, apply: (view) => view.dispatch({ changes: changes(view.state.doc, edits), userEvent: "input.fix" }) };
}

function squiggle(doc: Text, finding: Finding, actions: readonly Action[]): Squiggle {
  const own = actions.filter(({ diagnostics }) =>
    diagnostics.some(({ range, message }) => message === finding.message && isSame(range, finding.range)));
  return {
    from: offset(doc, finding.range.start),
    to: offset(doc, finding.range.end),
    severity: SEVERITIES[finding.severity] ?? "error",
    ...(finding.code !== undefined && { source: String(finding.code) }),
    message: finding.message,
    renderMessage: () => {
      const message = document.createElement("span");
      message.append(...inline(finding.message));
      return message;
    },
    actions: own.map(lintAction),
  };
}

/** Shows an analysis of the editor's text. */
export function showAnalysis(view: EditorView, { findings, actions, tokens, legend }: Analysis): void {
  const { state } = view;
  const squiggles = findings.map((finding) => squiggle(state.doc, finding, actions));
  view.dispatch({ effects: setTokens.of({ tokens, legend }) });
  view.dispatch(setDiagnostics(view.state, squiggles));
}

interface Hover {
  contents: { value: string };
  range?: Range;
}

interface Item {
  label: string;
  kind?: number;
  detail?: string;
  documentation?: string | { value: string };
}

/** The server's functions for an editor whose text is a document with that name. */
export function serverSupport(service: Service<Agalc>, documentOf: (view: EditorView) => Document): Extension {
  const ask = (view: EditorView, method: string, at: number) =>
    service.call("ask", [documentOf(view), method, { position: position(view.state.doc, at) }]).catch(() => null);

  async function hover(view: EditorView, at: number) {
    const found = (await ask(view, "textDocument/hover", at)) as Hover | null;
    if (!found) return null;
    const { doc } = view.state;
    const [pos, end] = found.range ? [offset(doc, found.range.start), offset(doc, found.range.end)] : [at, at];
    return { pos, end, above: true, create: () => ({ dom: markdown(found.contents.value) }) };
  }

  async function complete(context: CompletionContext): Promise<CompletionResult | null> {
    const word = context.matchBefore(/[\w#]+/);
    if (!word && !context.explicit && !context.matchBefore(/[ ,<]$/)) return null;
    if (!context.view) return null;
    const items = (await ask(context.view, "textDocument/completion", context.pos)) as Item[] | null;
    if (!items || items.length === 0) return null;
    return {
      from: word?.from ?? context.pos,
      options: items.map(({ label, kind, detail, documentation }) => ({
        label,
        ...(kind && { type: COMPLETION_KINDS[kind] ?? "text" }),
        ...(detail && { detail }),
        ...(documentation && {
          info: () => markdown(typeof documentation === "string" ? documentation : documentation.value),
        }),
      })),
      validFor: /^[\w#]*$/,
    };
  }

  return [
    autocompletion({ override: [complete], activateOnTyping: true, icons: false }),
    hoverTooltip(hover),
    describeKey(hover),
    lintGutter(),
    keymap.of([
      { key: "Shift-Alt-f", run: (view) => { void format(service, view, documentOf(view)); return true; } },
      ...completionKeymap,
      ...lintKeymap,
    ]),
  ];
}

/** Formats the text of an editor. */
export async function format(service: Service<Agalc>, view: EditorView, document: Document): Promise<void> {
  const options = { tabSize: 4, insertSpaces: true };
  const answer = service.call("ask", [document, "textDocument/formatting", { options }]).catch(() => null);
  const edits = (await answer) as TextEdit[] | null;
  const { doc } = view.state;
  if (edits && doc.toString() === document.text) view.dispatch({ changes: changes(doc, edits), userEvent: "input.format" });
}
