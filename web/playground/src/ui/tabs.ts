// Tabs that follow the ARIA Authoring Practices: one tab is in the tab order, and the arrow keys move to the other tabs.

import { h } from "./dom.ts";

export interface Tab {
  id: string;
  label: string;
  /** A number after the label, and the items that it counts. */
  count?: { number: number; what: string; isBad: boolean };
}

export class Tabs {
  private tabs: readonly Tab[] = [];
  private selected = "";

  /**
   * @param list the element for the tabs
   * @param panel the element that shows the selected tab; null if each tab has its own panel, whose id is the id of the tab
   * @param onselect called when the user selects a tab
   */
  constructor(
    private readonly list: HTMLElement,
    private readonly panel: HTMLElement | null,
    private readonly onselect: (id: string) => void,
  ) {
    list.addEventListener("keydown", (event) => this.key(event));
  }

  show(tabs: readonly Tab[], selected: string): void {
    const hadFocus = this.list.contains(document.activeElement);
    if (JSON.stringify([tabs, selected]) === JSON.stringify([this.tabs, this.selected])) return;
    [this.tabs, this.selected] = [tabs, selected];
    this.list.replaceChildren(...tabs.map((tab) => this.element(tab)));
    this.panel?.setAttribute("aria-labelledby", this.idOf(selected));
    if (hadFocus) this.focus();
    this.current()?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  private idOf(id: string): string {
    return `${this.list.id}-tab-${this.tabs.findIndex((tab) => tab.id === id)}`;
  }

  private current(): HTMLElement | null {
    return this.list.querySelector("[aria-selected=true]");
  }

  private focus(): void {
    this.current()?.focus();
  }

  private element({ id, label, count }: Tab): HTMLElement {
    const isSelected = id === this.selected;
    return h("button", {
      role: "tab",
      id: this.idOf(id),
      "data-id": id,
      "aria-selected": String(isSelected),
      "aria-controls": this.panel?.id ?? id,
      tabindex: isSelected ? 0 : -1,
      click: () => this.select(id),
    }, label, count ? h("span", { class: count.isBad ? "count bad" : "count", title: count.what }, String(count.number)) : null);
  }

  private select(id: string): void {
    this.show(this.tabs, id);
    this.onselect(id);
  }

  private key(event: KeyboardEvent): void {
    const at = this.tabs.findIndex(({ id }) => id === this.selected);
    const last = this.tabs.length - 1;
    const to = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    const tab = to === undefined ? undefined : this.tabs[to];
    if (!tab) return;
    event.preventDefault();
    this.select(tab.id);
    this.focus();
  }
}
