// Finds and creates elements of the page.

/** The element with that id in index.html. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;
type Child = Node | string | null;

/** Makes an element. A function is the listener of the event, a boolean the presence of an attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A table with a head. */
export function table(caption: string, head: readonly string[], rows: readonly Child[][]): HTMLElement {
  return h("table", {},
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...head.map((cell) => h("th", { scope: "col" }, cell)))),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell))))));
}

export interface Debounced {
  /** Calls the function after a time without another call of `schedule`. */
  schedule(): void;
  /** Calls the function now, if it is due. */
  flush(): void;
  cancel(): void;
}

export function debounced(milliseconds: number, action: () => void): Debounced {
  let timer: number | undefined;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const flush = () => {
    if (timer === undefined) return;
    cancel();
    action();
  };
  return {
    schedule() {
      cancel();
      timer = setTimeout(flush, milliseconds);
    },
    flush,
    cancel,
  };
}
