/** A part of a code sample; `kind` is null for anything but strings and comments. */
export type Piece = { text: string; kind: "string" | "comment" | null };

// Enough for the site's own samples: strings are double-quoted, comments start a line or follow a space.
const PIECES = /(?<string>"(?:[^"\\\n]|\\.)*")|(?<comment>(?<=^|\s)(?:#|\/\/)\s.*$)/gm;

/** Splits a short code sample into strings, comments and the rest, for highlighting without a grammar. */
export function tint(code: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: text, index, groups } of code.matchAll(PIECES)) {
    if (index > at) pieces.push({ text: code.slice(at, index), kind: null });
    pieces.push({ text, kind: groups?.string === undefined ? "comment" : "string" });
    at = index + text.length;
  }
  if (at < code.length) pieces.push({ text: code.slice(at), kind: null });
  return pieces;
}
