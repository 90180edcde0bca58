// Dialogs: Escape, the button and a click outside the dialog close it.

import { byId } from "./dom.ts";

export function dialog(id: string): HTMLDialogElement {
  const element = byId<HTMLDialogElement>(id);
  element.addEventListener("click", (event) => {
    if (event.target === element || (event.target as HTMLElement).closest(".close")) element.close();
  });
  return element;
}
