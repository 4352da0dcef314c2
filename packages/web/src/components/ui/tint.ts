/** A piece of code and what it is; null for all the rest. */
export type Piece = { text: string; kind: "string" | "comment" | null };

// Our own short samples: texts stand in double quotes, comments begin a line or follow a space.
const PIECES = /(?<string>"(?:[^"\\\n]|\\.)*")|(?<comment>(?<=^|\s)(?:#|\/\/)\s.*$)/gm;

/** Colours for short samples, without the weight of a grammar: texts and comments. */
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
