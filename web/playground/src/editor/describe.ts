// Shows the hover text without a mouse: Control+K followed by Control+I describes the word at the cursor. The description disappears
// when the text changes, the cursor moves or Escape is pressed.

import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, type Tooltip, keymap, showTooltip } from "@codemirror/view";

type Source = (view: EditorView, at: number) => Promise<Tooltip | null> | Tooltip | null;

const setDescription = StateEffect.define<Tooltip | null>();

const description = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, { effects, docChanged, startState, newSelection }) {
    for (const effect of effects) if (effect.is(setDescription)) return effect.value;
    return docChanged || !newSelection.eq(startState.selection) ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

export function describeKey(source: Source): Extension {
  async function describe(view: EditorView): Promise<void> {
    const { doc, selection } = view.state;
    const tooltip = await source(view, selection.main.head);
    if (view.state.doc === doc) view.dispatch({ effects: setDescription.of(tooltip) });
  }
  return [
    description,
    keymap.of([
      { key: "Mod-k Mod-i", run: (view) => { void describe(view); return true; } },
      {
        key: "Escape",
        run(view) {
          if (!view.state.field(description)) return false;
          view.dispatch({ effects: setDescription.of(null) });
          return true;
        },
      },
    ]),
  ];
}
