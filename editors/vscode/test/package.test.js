// Tests the package: its files, the scopes of its AGAL grammar, and the behaviour of its code without a server.
"use strict";

const assert = require("node:assert/strict");
const { readFile, rm } = require("node:fs/promises");
const Module = require("node:module");
const { join } = require("node:path");
const { after, before, test } = require("node:test");

const oniguruma = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const { pack, readJson } = require("./vsix.js");

let vsix;
before(async () => {
  vsix = await pack();
});
after(() => rm(vsix.folder, { recursive: true }));

test("the package has what the extension needs, and nothing else", async () => {
  const expected = [
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/LICENSE-APACHE",
    "extension/LICENSE-MIT",
    "extension/LICENSE.md",
    "extension/dist/extension.js",
    "extension/language-configuration.json",
    "extension/package.json",
    "extension/readme.md",
    "extension/syntaxes/agal.tmLanguage.json",
  ];
  assert.deepEqual([...vsix.files.keys()].sort(), expected.sort());
  assert.doesNotMatch(vsix.said, /warning/i);
  for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) {
    assert.deepEqual(vsix.files.get(`extension/${name}`), await readFile(join(__dirname, "../../..", name)), name);
  }
  const manifest = await readJson(vsix.at("package.json"));
  const named = [manifest.main, manifest.contributes.languages[0].configuration, manifest.contributes.grammars[0].path];
  named.forEach((path) => assert.ok(vsix.files.has(`extension/${path.slice(2)}`), path));
  assert.ok(vsix.files.get("extension/dist/extension.js").length < 1_000_000);
});

test("the configuration of the language indents conditionals and macros", async () => {
  const { indentationRules: rules } = await readJson(vsix.at("language-configuration.json"));
  const matches = ({ pattern, flags }, line) => new RegExp(pattern, flags).test(line);
  for (const line of ["ife ft0.x, fc0.x", "  IFG ft0.x, fc0.x // a", "els", "macro Half(a) {", "ine v0.x,v0.y"]) {
    assert.ok(matches(rules.increaseIndentPattern, line), line);
  }
  for (const line of ["mov ife, v0", "eif", "// ife", "macro Half(a) { out = a }", "elsewhere = v0"]) {
    assert.ok(!matches(rules.increaseIndentPattern, line), line);
  }
  for (const line of ["eif", "  els", "}", "EIF"]) {
    assert.ok(matches(rules.decreaseIndentPattern, line), line);
  }
  assert.ok(!matches(rules.decreaseIndentPattern, "mov oc, eif"));
});

async function grammar() {
  const wasm = await readFile(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const path = vsix.at("syntaxes/agal.tmLanguage.json");
      return scope === "source.agal" ? parseRawGrammar(await readFile(path, "utf8"), path) : null;
    },
  });
  return registry.loadGrammar("source.agal");
}

test("the grammar tells the words of AGAL apart", async () => {
  const agal = await grammar();
  const text = [
    "// agal 2 fragment",
    "/* a",
    "mov */ TEX ft0, v1.xy, fs0 <2d,linear,-1.5> // mov",
    "ifg ft0.x, vc[va0.x+3].w",
    "kil ft0.w; mov oc, ft0",
    "mov od.x, iid",
    "alias fc0.xy, tint // a",
    "macro Half(a, mode) {",
    "    out = a * 0.5 >= tint",
    "}",
    "#if SCALED > 0 && !A // b",
    "v0 = Half(tint)",
    "ft1 = tex<cube>(v0, fs1)",
    "#endif",
    "part main fragment 2",
    "endpart",
    "#a0=aPosition",
    "mov mov0, sin1.x",
    "// agal 2 fragment",
  ];
  // For each line, the words that have their own scope, each with that scope.
  const expected = [
    ["// agal=keyword.other.header", "2=constant.numeric", "fragment=storage.type.stage"],
    ["/*=comment.block", " a=comment.block"],
    [
      "mov =comment.block", "*/=comment.block", "TEX=keyword.other.opcode.texture", "ft0=variable.other.temporary",
      "v1=variable.parameter.varying", "xy=variable.other.property.components", "fs0=variable.parameter.sampler",
      "2d=constant.language.option", "linear=constant.language.option", "-1.5=constant.numeric.bias",
      "// mov=comment.line.double-slash",
    ],
    [
      "ifg=keyword.control.opcode.conditional", "ft0=variable.other.temporary", "x=variable.other.property.components",
      "vc=variable.other.constant.register", "va0=variable.parameter.attribute", "x=variable.other.property.components",
      "+=keyword.operator", "3=constant.numeric", "w=variable.other.property.components",
    ],
    [
      "kil=keyword.control.opcode.kill", "ft0=variable.other.temporary", "w=variable.other.property.components",
      "mov=keyword.other.opcode", "oc=variable.language.output", "ft0=variable.other.temporary",
    ],
    [
      "mov=keyword.other.opcode", "od=variable.language.depth", "x=variable.other.property.components",
      "iid=variable.language.instance",
    ],
    [
      "alias=keyword.other.alias", "fc0=variable.other.constant.register", "xy=variable.other.property.components",
      "tint=entity.name.variable", "// a=comment.line.double-slash",
    ],
    [
      "macro=storage.type.macro", "Half=entity.name.function.macro", "a=variable.parameter.macro",
      "mode=variable.parameter.macro",
    ],
    [
      "out=variable.language.out", "==keyword.operator", "a=variable.other.readwrite", "*=keyword.operator",
      "0.5=constant.numeric", ">==keyword.operator", "tint=variable.other.readwrite",
    ],
    [],
    [
      "#if=keyword.control.directive", "SCALED=variable.other.constant", ">=keyword.operator", "0=constant.numeric",
      "&&=keyword.operator", "!=keyword.operator", "A=variable.other.constant", "// b=comment.line.double-slash",
    ],
    [
      "v0=variable.parameter.varying", "==keyword.operator", "Half=entity.name.function",
      "tint=variable.other.readwrite",
    ],
    [
      "ft1=variable.other.temporary", "==keyword.operator", "tex=keyword.other.opcode.texture",
      "cube=constant.language.option", "v0=variable.parameter.varying", "fs1=variable.parameter.sampler",
    ],
    ["#endif=keyword.control.directive"],
    ["part=keyword.other.part", "main=entity.name.section", "fragment=storage.type.stage", "2=constant.numeric"],
    ["endpart=keyword.other.part"],
    ["#=keyword.control.directive", "a0=variable.parameter", "==keyword.operator", "aPosition=entity.name.variable"],
    [
      "mov=keyword.other.opcode", "mov0=variable.other.readwrite", "sin1=variable.other.readwrite",
      "x=variable.other.property.components",
    ],
    // A header is recognised only on the first line.
    ["// agal 2 fragment=comment.line.double-slash"],
  ];
  let state = INITIAL;
  for (const [index, line] of text.entries()) {
    const { tokens, ruleStack } = agal.tokenizeLine(line, state);
    state = ruleStack;
    const shown = tokens
      .map(({ startIndex, endIndex, scopes }) => [line.slice(startIndex, endIndex), scopes.at(-1).replace(/\.agal$/, "")])
      .filter(([word, scope]) => word.trim() && !/^(source|meta|punctuation)/.test(scope))
      .map(([word, scope]) => `${scope.startsWith("comment") ? word : word.trim()}=${scope}`);
    assert.deepEqual(shown, expected[index], line);
  }
});

/** Loads the packed extension with a replacement for `vscode`: members that `given` lacks are classes without effect. */
function load(given) {
  const nothing = new Proxy(class {}, { get: (target, name) => (name === "prototype" ? target.prototype : nothing) });
  const vscode = new Proxy(given, { get: (target, name) => target[name] ?? nothing });
  const { _load } = Module;
  Module._load = (request, ...rest) => (request === "vscode" ? vscode : _load.call(Module, request, ...rest));
  try {
    return require(vsix.at("dist/extension.js"));
  } finally {
    Module._load = _load;
  }
}

test("without the program the user is told what to do", async () => {
  const shown = [];
  const commands = new Map();
  const extension = load({
    workspace: {
      getConfiguration: () => ({ get: (name) => (name === "path" ? "/nowhere/agalc" : undefined) }),
      onDidChangeConfiguration: () => ({ dispose() {} }),
    },
    window: {
      showErrorMessage: async (message, ...choices) => {
        shown.push(message);
        return choices[0];
      },
    },
    commands: {
      registerCommand: (name, run) => commands.set(name, run),
      executeCommand: async (...all) => shown.push(all.join(" ")),
    },
  });
  await extension.activate({ subscriptions: [] });
  await new Promise(setImmediate);
  assert.match(shown[0], /^The program `\/nowhere\/agalc` was not found\. Install agalc .*or set `agalc\.path`/);
  assert.equal(shown[1], "workbench.action.openSettings agalc.path");
  await commands.get("agalc.restart")();
  assert.equal(shown.filter((message) => message.startsWith("The program")).length, 2, "it is tried again");
  await extension.deactivate();
});
