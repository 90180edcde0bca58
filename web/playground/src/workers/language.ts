// The client of the language server: keeps the server's texts up to date, and sends requests.

import { LanguageServer } from "agalc";

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface TextEdit {
  range: Range;
  newText: string;
}

export interface Finding {
  range: Range;
  severity: 1 | 2 | 3 | 4;
  code?: string | number;
  message: string;
}

export interface Action {
  title: string;
  diagnostics: Finding[];
  edit: { changes: Record<string, TextEdit[]> };
}

/** A text in an editor. */
export interface Document {
  uri: string;
  text: string;
}

export interface Analysis {
  findings: Finding[];
  actions: Action[];
  /** Five numbers for each token, as `textDocument/semanticTokens/full` returns them. */
  tokens: number[];
  /** The names of the kinds of tokens. */
  legend: string[];
}

interface Message {
  id?: number;
  method?: string;
  params?: { uri?: string; diagnostics?: Finding[] };
  result?: unknown;
  error?: { message: string };
}

class Client {
  private readonly server = new LanguageServer();
  private readonly texts = new Map<string, string>();
  private readonly findings = new Map<string, Finding[]>();
  private version = 0;
  readonly legend: string[];

  constructor() {
    const { capabilities } = this.request("initialize", {
      processId: null,
      rootUri: null,
      capabilities: { general: { positionEncodings: ["utf-16"] } },
    }) as { capabilities: { semanticTokensProvider: { legend: { tokenTypes: string[] } } } };
    this.legend = capabilities.semanticTokensProvider.legend.tokenTypes;
    this.send({ method: "initialized", params: {} });
  }

  private send(message: object): Message[] {
    const answers = this.server.send({ jsonrpc: "2.0", ...message }) as Message[];
    for (const { method, params } of answers) {
      if (method === "textDocument/publishDiagnostics" && params?.uri) this.findings.set(params.uri, params.diagnostics ?? []);
    }
    return answers;
  }

  request(method: string, params: object): unknown {
    const id = ++this.version;
    const answer = this.send({ id, method, params }).find((message) => message.id === id);
    if (answer?.error) throw new Error(answer.error.message);
    return answer?.result ?? null;
  }

  /** Updates the server's text to that of the editor. */
  update({ uri, text }: Document): void {
    const before = this.texts.get(uri);
    if (before === text) return;
    this.texts.set(uri, text);
    const version = ++this.version;
    if (before === undefined) {
      this.send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "agal", version, text } } });
    } else {
      this.send({ method: "textDocument/didChange", params: { textDocument: { uri, version }, contentChanges: [{ text }] } });
    }
  }

  findingsOf(uri: string): Finding[] {
    return this.findings.get(uri) ?? [];
  }
}

let client: Client | undefined;

/** All information about a text that the editor shows during typing. */
export function analyse(document: Document): Analysis {
  client ??= new Client();
  client.update(document);
  const textDocument = { uri: document.uri };
  const findings = client.findingsOf(document.uri);
  const lines = document.text.split("\n");
  const range = { start: { line: 0, character: 0 }, end: { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 } };
  const actions = findings.length === 0
    ? []
    : client.request("textDocument/codeAction", { textDocument, range, context: { diagnostics: findings } });
  const tokens = client.request("textDocument/semanticTokens/full", { textDocument }) as { data: number[] } | null;
  return { findings, actions: actions as Action[], tokens: tokens?.data ?? [], legend: client.legend };
}

/** Sends a request about a text, with further parameters. */
export function ask(document: Document, method: string, params: object): unknown {
  client ??= new Client();
  client.update(document);
  return client.request(method, { textDocument: { uri: document.uri }, ...params });
}
