// The types of the package `agalc`. All values are plain data, except objects with a `free` method, which must be freed.

/** Compiles the module. In node, importing the package does this, and the function does nothing.
 *
 * @param wasm the address of `agalc_bg.wasm`, its bytes, or the module; by default the module is fetched from the folder of this file. */
export function init(wasm?: URL | string | Response | BufferSource | WebAssembly.Module): Promise<void>;

/** `vertex` or `fragment`. */
export type Stage = "vertex" | "fragment";

/** A program or a module: AGAL text or bytecode, text of the unified-shader instruction set, an SDLSHADERBC file, or module text. The
 * form is detected. */
export interface Input {
  /** The name of the input in messages. */
  name: string;
  /** Text, or the bytes of a file. */
  data: string | Uint8Array;
}

/** One input (a single program, or a text with both), or a vertex and a fragment program in either order. */
export type Inputs = string | Uint8Array | Input | readonly (string | Uint8Array | Input)[];

/** The output formats of {@link translate}: the values of `agalc compile --to`. */
export type Format = "wgsl" | "spirv" | "spirv-asm" | "glsl" | "hlsl" | "msl" | "sdlbc" | "sdlasm";

/** Options for reading and checking AGAL: the options of `agalc compile`, with the same words (`agalc compile --help`). */
export interface ReadOptions {
  /** The stage of a single text that does not state it. */
  stage?: Stage;
  /** The version, 1 to 4; by default the lowest that has all features used by the programs. */
  agalVersion?: number;
  language?: "auto" | "mini" | "macro" | "alternativa" | "es2";
  /** Names for `#if`, with their values. */
  defines?: Record<string, number>;
  /** `lenient` accepts code that has one clear meaning, `player` code that Flash Player accepts. */
  compat?: "lenient" | "player";
  /** A profile of Context3D: `baseline`, `standardExtended`, ... */
  profile?: string;
  /** Numbers of findings that are allowed. */
  allow?: readonly number[];
  allowTed?: boolean;
  ifg?: "greater-equal" | "strict";
  index?: "round" | "trunc";
  signedOffsets?: boolean;
  /** The text of a file of names (TOML), as `--names` reads it. */
  names?: string;
  noSourceNames?: boolean;
  inlineConstants?: boolean;
}

/** Options for writing a translation: the options of `agalc compile`, with the same words. */
export interface WriteOptions {
  /** The optimisation level, as for `-O`; by default 2. */
  optimise?: 0 | 1 | 2;
  /** Whether floats may be computed as `--fast-math` allows. */
  fastMath?: boolean;
  /** A row of docs/layouts.md; by default `stage3d`. */
  layout?: string;
  group?: number;
  bindingBase?: number;
  entry?: string;
  samplers?: "separate" | "combined";
  numbering?: "slot" | "dense";
  constants?: "block" | "push" | "plain";
  /** The length of the constant arrays: `read`, `file`, or the lengths for the vertex and the fragment stage. */
  constantLength?: "read" | "file" | readonly [number, number];
  modules?: "together" | "apart";
  spirvVersion?: string;
  precision?: "highp" | "mediump";
  /** Whether computed indices are assumed to be in bounds, as `--trust-indices` states. */
  trustIndices?: boolean;
  depth?: "zero-to-one" | "neg-one-to-one";
  flipY?: boolean;
  /** The version of GLSL; by default the version of the layout. */
  glsl?: "450" | "330" | "300es";
  shaderModel?: string;
  mslVersion?: string;
  debug?: "none" | "names" | "lines" | "full";
  pruneVaryings?: boolean;
  packVaryings?: boolean;
}

export type Options = ReadOptions & WriteOptions;

/** A span of text. Lines and columns count from 1, columns in characters; offsets are in bytes of the file. */
export interface Place {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  start: number;
  end: number;
}

/** A message about an input, as `agalc --format json` writes it (docs/diagnostics.md). */
export interface Diagnostic {
  severity: "error" | "warning" | "note";
  /** `AGAL3647`, `ES2126`, `V12`; `agalc explain` has an example of each. */
  code: string | null;
  message: string;
  help: string | null;
  notes: string[];
  /** The name of the input. */
  file: string | null;
  span: Place | null;
  stage: Stage | null;
  /** The number of the token or instruction, counted from 1. */
  token: number | null;
  /** The offset in bytecode. */
  byte: number | null;
  instruction: string | null;
  related: { message: string; file: string; span: Place }[];
}

/** Thrown if inputs or options cannot be used. `message` contains a line for each error. */
export class AgalcError extends Error {
  readonly diagnostics: Diagnostic[];
}

/** A line of a source: the input (its position in {@link Translation.sources}) and the line, counted from 1. */
export interface SourceLine {
  source: number;
  line: number;
}

/** A written file. */
export interface File {
  /** The stage in the file, or null if the file contains everything. */
  stage: Stage | null;
  /** The text; null for SPIR-V and SDLSHADERBC. */
  text: string | null;
  /** The contents of the file. */
  bytes: Uint8Array;
  /** The source lines of each line of the text, or null if unknown. For programs, only with `debug` of `lines` or `full`; for modules, always. */
  lines: (SourceLine[] | null)[] | null;
}

export interface Translation {
  files: File[];
  /** The names of the sources that lines refer to. */
  sources: string[];
  /** Warnings and notes. */
  diagnostics: Diagnostic[];
  /** The inputs and outputs of the programs, with their names in the files (docs/reflection.md). */
  reflection: Reflection;
}

/** The output of `agalc inspect --json`, described by docs/reflection.schema.json. */
export interface Reflection {
  format: "agalc-reflection";
  version: number;
  stages: StageReflection[];
  functions: any[];
  varyings: any[];
  sources: any[];
  outputs: any[];
}

/** The inputs and outputs of a stage; docs/reflection.md describes the other fields. */
export interface StageReflection {
  stage: Stage;
  /** The name of the entry point. */
  name: string;
  attributes: { register: string; name: string; location: number; [field: string]: any }[];
  varyings: { register: string; name: string; location: number; [field: string]: any }[];
  samplers: { register: string; name: string; slot: number; [field: string]: any }[];
  [field: string]: any;
}

/** Translates a program or a pair. The bytes are the same as those written by `agalc compile`.
 *
 * @throws {AgalcError} with all errors in the inputs. */
export function translate(inputs: Inputs, format: Format, options?: Options): Translation;

/** A finding about a program. */
export interface Finding {
  /** The number, such as `AGAL3647` or `ES2126`. */
  code: string;
  severity: "error" | "warning";
  message: string;
  help: string | null;
  /** Whether Flash Player stops here. */
  stops_player: boolean;
  /** The position in the player's order, across the programs of a pair. */
  order: number;
  attested: boolean;
  /** The number of the token or instruction, counted from 1. */
  token: number | null;
  part: string | null;
  byte: number | null;
  instruction: string | null;
  line: number | null;
  column: number | null;
  start: number | null;
  end: number | null;
  /** Line and column of the macro call, for a place in a macro. */
  call?: [number, number];
}

export interface Validated {
  /** Errors, warnings and notes, in the order in which Flash Player would report them. */
  diagnostics: Diagnostic[];
  programs: {
    file: string;
    stage: Stage;
    /** The version of AGAL; null for a program of the unified-shader instruction set. */
    version: number | null;
    /** The number of tokens, or of instructions. */
    tokens: number;
    /** The findings, as `agalc validate --format json` writes them (docs/diagnostics.md). */
    findings: Finding[];
    /** The values that the application must upload to constants of the macro language; null for a component without a declared value. */
    constants: { register: string; values: (number | null)[] }[];
  }[];
}

/** Checks programs as `agalc validate` does. Errors are returned and not thrown. */
export function validate(inputs: Inputs, options?: ReadOptions): Validated;

/** Assembles AGAL text to bytecode. */
export function assemble(input: string | Input, options?: ReadOptions): Uint8Array;

/** Writes AGAL bytecode as text that assembles to the same bytecode. */
export function disassemble(input: Uint8Array | Input, options?: ReadOptions): string;

/** Describes the inputs and outputs of programs. */
export function inspect(inputs: Inputs, options?: ReadOptions): Reflection;

export interface Dump {
  /** The output of `agalc dump`. A line consists of the offset in six hexadecimal digits, the word in eight, and the indented meaning
   * of the word; lines without an offset are remarks. */
  text: string;
  /** Whether the file can be read. */
  good: boolean;
  /** The names of the sources that lines refer to. */
  sources: string[];
  /** The source lines of each line. */
  lines: (SourceLine[] | null)[];
}

/** Explains each word of an SDLSHADERBC file, or of the module made from the inputs. */
export function dump(inputs: Inputs, options?: Options): Dump;

/** Returns the type of a file, as in messages: `AGAL text`, `AGAL bytecode`, `WGSL`, ... */
export function detect(data: string | Uint8Array): string;

/** The language server of `agalc lsp`, which receives and returns messages of the Language Server Protocol. */
export class LanguageServer {
  constructor();
  /** Handles a message from the client, and returns the server's messages. */
  send(message: object): object[];
  /** Frees its memory. The server cannot be used afterwards. */
  free(): void;
}

/** The version of agalc. */
export function version(): string;
