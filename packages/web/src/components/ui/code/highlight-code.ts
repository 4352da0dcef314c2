/** A part of a code sample; `kind` is null for anything but strings and comments. */
export type CodeToken = { text: string; kind: "string" | "comment" | null };

// Enough for the site's own samples: strings are double-quoted, comments start a line or follow a space.
const TOKEN_PATTERN = /(?<string>"(?:[^"\\\n]|\\.)*")|(?<comment>(?<=^|\s)(?:#|\/\/)\s.*$)/gm;

/** Splits a short code sample into strings, comments and the rest, for highlighting without a grammar. */
export function highlightCode(code: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  let at = 0;
  for (const { 0: text, index, groups } of code.matchAll(TOKEN_PATTERN)) {
    if (index > at) tokens.push({ text: code.slice(at, index), kind: null });
    tokens.push({ text, kind: groups?.string === undefined ? "comment" : "string" });
    at = index + text.length;
  }
  if (at < code.length) tokens.push({ text: code.slice(at), kind: null });
  return tokens;
}
