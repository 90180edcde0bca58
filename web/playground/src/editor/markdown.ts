// Converts the subset of Markdown that the language server writes to elements: paragraphs, lists, fenced code and `code`. All content
// becomes text nodes.

import { h } from "../ui/dom.ts";

/** A line of text with code in it. */
export function inline(text: string): (string | HTMLElement)[] {
  return text.split(/(`[^`]+`)/).filter((part) => part !== "").map((part) =>
    part.startsWith("`") && part.endsWith("`") && part.length > 2 ? h("code", {}, part.slice(1, -1)) : part);
}

function paragraph(lines: readonly string[]): HTMLElement {
  if (lines.every((line) => line.startsWith("- "))) {
    return h("ul", {}, ...lines.map((line) => h("li", {}, ...inline(line.slice(2)))));
  }
  return h("p", {}, ...inline(lines.join(" ")));
}

export function markdown(source: string): HTMLElement {
  const root = h("div", { class: "markdown" });
  let lines: string[] = [];
  let fence: string[] | null = null;
  const end = () => {
    if (lines.length > 0) root.append(paragraph(lines));
    lines = [];
  };
  for (const line of source.split("\n")) {
    if (line.startsWith("```")) {
      end();
      if (fence) root.append(h("pre", {}, h("code", {}, fence.join("\n"))));
      fence = fence ? null : [];
    } else if (fence) fence.push(line);
    else if (line.trim() === "") end();
    else lines.push(line);
  }
  end();
  return root;
}
