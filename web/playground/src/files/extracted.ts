// Lists the pairs and programs found in an application, so that the user can select one.

import type { Extracted } from "agalc/extract";
import type { SourceFile } from "../state.ts";
import { dialog } from "../ui/dialog.ts";
import { byId, h } from "../ui/dom.ts";

interface Program {
  file: string;
  stage: string | null;
  form: "text" | "template" | "bytecode";
  tokens: number | null;
  pairs: number[];
  places: { class?: string; method?: string }[];
}

interface Manifest {
  programs: Program[];
  pairs: { vertex: string; fragment: string }[];
}

function sourceFile({ path, data }: Extracted["files"][number]): SourceFile {
  return { name: path, data: path.endsWith(".agalbc") ? data : new TextDecoder().decode(data) };
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;

function about({ form, tokens, places }: Program): string {
  const [place] = places;
  const where = [place?.class, place?.method].filter(Boolean).join(".");
  return [where, form === "template" ? "parts are not known" : form, tokens !== null && count(tokens, "token")].filter(Boolean).join(", ");
}

/** Shows the programs that were found; `choose` is called with the programs of a pair, or with one program. */
export function showExtracted({ files, manifest }: Extracted, from: string, choose: (files: SourceFile[]) => void): void {
  const { programs, pairs } = manifest as Manifest;
  const element = dialog("extracted");
  const fileOf = (name: string) => files.find(({ path }) => path === name);
  const button = (title: string, detail: string, names: readonly string[]) =>
    h("li", {}, h("button", {
      class: "program",
      click: () => {
        element.close();
        choose(names.map(fileOf).filter((file) => file !== undefined).map(sourceFile));
      },
    }, h("span", { class: "name" }, title), h("span", { class: "about" }, detail)));
  const single = programs.filter((program) => program.pairs.length === 0);
  byId("programs").replaceChildren(
    h("p", {}, `${from}: ${count(programs.length, "program")}, ${count(pairs.length, "pair")}`),
    ...(pairs.length > 0
      ? [h("h3", {}, "Pairs"), h("ul", {}, ...pairs.map(({ vertex, fragment }) => {
        const program = programs.find(({ file }) => file === fragment);
        return button(`${vertex}, ${fragment}`, program ? about(program) : "", [vertex, fragment]);
      }))]
      : []),
    ...(single.length > 0
      ? [h("h3", {}, "Single programs"), h("ul", {}, ...single.map((program) => button(program.file, about(program), [program.file])))]
      : []));
  element.showModal();
}
