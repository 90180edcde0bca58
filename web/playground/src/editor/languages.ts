// Colours for texts that the language server does not read: agalc's outputs, and the files of a scene.

import { type StreamParser, StreamLanguage } from "@codemirror/language";

interface Words {
  comment: RegExp;
  keyword: RegExp;
  type?: RegExp;
  /** Names of values, of attributes, of tables. */
  special?: RegExp;
}

const STRING = /^"(?:[^"\\]|\\.)*"?/;
const NUMBER = /^-?(?:0x[0-9a-f]+|\d+\.?\d*(?:e[-+]?\d+)?|\.\d+)[fhui]?\b/i;
const WORD = /^[A-Za-z_][\w]*/;

function parser({ comment, keyword, type, special }: Words): StreamParser<null> {
  return {
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match(comment)) return "comment";
      if (stream.match(STRING)) return "string";
      if (special && stream.match(special)) return "meta";
      if (stream.match(NUMBER)) return "number";
      const word = stream.match(WORD) as RegExpMatchArray | null;
      if (!word) {
        stream.next();
        return null;
      }
      if (keyword.test(word[0])) return "keyword";
      return type?.test(word[0]) ? "typeName" : "variableName";
    },
  };
}

const C_COMMENT = /^(?:\/\/.*|\/\*.*?\*\/)/;
const C_KEYWORD = new RegExp(`^(?:${[
  "struct|fn|let|var|const|if|else|for|while|loop|switch|case|default|break|continue|return|discard|uniform|in|out|inout|layout",
  "precision|highp|mediump|lowp|smooth|flat|centroid|constant|thread|device|using|namespace|metal|vertex|fragment|cbuffer|register",
  "packoffset|nointerpolation|static|continuing|override|enable|void|template|typename|true|false",
].join("|")})$`);
const C_TYPE = /^(?:bool|int|uint|float|half|[iub]?vec[234](?:[fhiu])?|mat[234](?:x[234])?f?|(?:float|half|int|uint)[1-4](?:x[1-4])?|f32|f16|i32|u32|array|ptr|u?sampler\w*|texture\w*|Texture\w*|SamplerState|packed_\w+)$/;
const C: Words = { comment: C_COMMENT, keyword: C_KEYWORD, type: C_TYPE, special: /^(?:@\w+|#\w+|\[\[\w+.*?\]\])/ };

const LANGUAGES = {
  c: C,
  spirv: { comment: /^;.*/, keyword: /^Op[A-Z]\w*$/, special: /^%\w+/ },
  module: {
    comment: /^;.*/,
    keyword: /^(?:vertex|fragment|function|input|output|source|debug|if|else|loop|switch|case|default|break|continue|return|discard|call)$/,
    type: /^(?:float|int|uint|half|bool|texture)\w*$/,
    special: /^%\w+/,
  },
  dump: { comment: /^;.*/, keyword: /^$/, special: /^[0-9a-f]{6}(?=  )/ },
  toml: { comment: /^#.*/, keyword: /^(?:true|false)$/, special: /^\[[^\],]*[a-z][^\],]*\]\s*(?=#|$)/ },
} satisfies Record<string, Words>;

export type LanguageName = keyof typeof LANGUAGES;

export function language(name: LanguageName): StreamLanguage<null> {
  return StreamLanguage.define(parser(LANGUAGES[name]));
}
