// The reflection (docs/reflection.md) as tables.

import type { Reflection } from "agalc";
import { h, table } from "../ui/dom.ts";

type Row = Record<string, any>;

/** Values in readable form; a dash if a field does not apply. */
function cell(value: unknown): string {
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) return "–";
  if (Array.isArray(value)) return value.map(cell).join(", ");
  return String(value);
}

/** A table of some fields, or nothing if there are no rows. */
function fields(caption: string, rows: readonly Row[], columns: Record<string, (row: Row) => unknown>): HTMLElement[] {
  if (rows.length === 0) return [];
  const read = Object.values(columns);
  return [h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    table(caption, Object.keys(columns), rows.map((row) => read.map((of) => cell(of(row))))))];
}

const ranges = ({ file, ranges }: Row) => (ranges as Row[]).map(({ first, count }) =>
  (count === 1 ? `${file ?? ""}${first}` : `${file ?? ""}${first}..${first + count - 1}`));

function stage(of: Row): HTMLElement {
  const agal = of.agal as Row | null;
  const about = [
    agal && `AGAL ${agal.version}, ${agal.tokens} tokens`,
    `${of.instructions} instructions`,
    of.discards && "discards fragments",
    of.derivatives && "uses derivatives",
  ].filter(Boolean).join("; ");
  const members = (of.constants as Row[]).flatMap((constants) => constants.members as Row[]);
  return h("section", {},
    h("h3", {}, `${of.stage === "vertex" ? "Vertex" : "Fragment"} stage, ${of.name}`),
    h("p", {}, about),
    ...fields("Attributes", of.attributes, {
      Register: (row) => row.register, Name: (row) => row.name, Location: (row) => row.location, Type: (row) => row.type,
      Read: (row) => row.components, Format: (row) => row.formats.webgpu,
    }),
    ...fields("Varyings", of.varyings, {
      Register: (row) => row.register, Name: (row) => row.name, Location: (row) => row.location, Type: (row) => row.type,
      Components: (row) => row.components, Interpolation: (row) => row.interpolation,
    }),
    ...fields("Constants", of.constants, {
      File: (row) => row.file, Name: (row) => row.name, Type: (row) => row.type, "To be set": ranges,
      Matrices: (row) => (row.matrices as Row[]).map(({ first, columns, rows }) => `${row.file ?? ""}${first}: ${columns}x${rows}`),
    }),
    ...fields("Named parts of the constants", members, {
      Name: (row) => row.name, Register: (row) => row.register, Type: (row) => row.type, Offset: (row) => row.offset, Size: (row) => row.size,
    }),
    ...fields("Samplers", of.samplers, {
      Register: (row) => row.register, Name: (row) => row.name, Dimension: (row) => row.dimension, Read: (row) => row.components,
      State: (row) => row.agal.text,
    }),
    ...fields("Built-in inputs", of.builtins, {
      Kind: (row) => row.kind, Register: (row) => row.register, Name: (row) => row.name, Type: (row) => row.type,
    }),
    ...fields("Outputs", of.outputs, {
      Kind: (row) => row.kind, Register: (row) => row.register, Target: (row) => row.target, Name: (row) => row.name, Type: (row) => row.type,
    }));
}

function written(of: Row): HTMLElement {
  return h("section", {},
    h("h3", {}, `In ${of.target}`),
    ...fields(`Resources of ${of.file}`, of.resources, {
      Stage: (row) => row.stage, Register: (row) => row.register, Kind: (row) => row.kind, Name: (row) => row.name,
      Group: (row) => row.group, Binding: (row) => row.binding, Unit: (row) => row.unit, Size: (row) => row.size,
    }));
}

/** The tables, with the reflection of each translation. */
export function reflection(reflections: readonly Reflection[]): HTMLElement {
  const [first] = reflections;
  if (!first) return h("div");
  return h("div", { class: "reflection" },
    ...first.stages.map(stage),
    ...fields("Varyings of the pair", first.varyings, {
      Register: (row) => row.register, Location: (row) => row.location, Type: (row) => row.type, Written: (row) => row.written, Read: (row) => row.read,
    }),
    ...reflections.flatMap(({ outputs }) => outputs.map(written)),
    h("details", {}, h("summary", {}, "JSON"), h("pre", { tabindex: 0 }, JSON.stringify(first, null, 2))));
}
