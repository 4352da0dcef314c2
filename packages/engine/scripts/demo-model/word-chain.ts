/** A piece of a sentence that becomes one token, and the pieces that may follow it, most likely first. */
export type ChainLink = { text: string; next: readonly string[] };

/** The links of all sentences, and the pieces a text may begin with at the start of a line and after other text. */
export type WordChain = { links: readonly ChainLink[]; lineStarts: readonly string[]; textStarts: readonly string[] };

/** The `next` of a last piece: the model ends its turn. */
export const END = "";

/**
 * Cuts the sentences of all steps into pieces and links each to its successors. No text occurs as two pieces
 * (neighbouring words are joined until they are unique, and `taken` texts are avoided), so a piece alone determines
 * the position in the text: the chain only moves forward, and every walk along it ends.
 */
export function buildWordChain(steps: readonly (readonly string[])[], taken: ReadonlySet<string>): WordChain {
  const used = new Set(taken);
  const lineStarts = (steps[0] ?? []).map((sentence) => cutIntoPieces(sentence, used));
  const spaced = steps.map((variants) => variants.map((sentence) => cutIntoPieces(` ${sentence}`, used)));
  const links = spaced.flatMap((variants, step) => {
    const nextStep = firstPieces(spaced[step + 1] ?? []);
    return variants.flatMap((pieces) => linkPieces(pieces, nextStep));
  });
  const afterLineStart = firstPieces(spaced[1] ?? []);
  return {
    links: [...lineStarts.flatMap((pieces) => linkPieces(pieces, afterLineStart)), ...links],
    lineStarts: firstPieces(lineStarts),
    textStarts: firstPieces(spaced[0] ?? []),
  };
}

function linkPieces(pieces: readonly string[], afterwards: readonly string[]): ChainLink[] {
  const following = afterwards.length > 0 ? afterwards : [END];
  return pieces.map((text, index) => {
    const next = pieces[index + 1];
    return { text, next: next === undefined ? following : [next] };
  });
}

function firstPieces(variants: readonly (readonly string[])[]): string[] {
  return variants.flatMap((pieces) => pieces.slice(0, 1));
}

function cutIntoPieces(sentence: string, used: Set<string>): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const word of sentence.match(/ ?\S+/g) ?? []) {
    piece += word;
    if (used.has(piece)) continue;
    pieces.push(piece);
    used.add(piece);
    piece = "";
  }
  if (piece === "") return pieces;
  const last = `${pieces.pop() ?? ""}${piece}`;
  if (used.has(last)) throw new Error(`The sentence "${sentence}" can't be cut into unique pieces.`);
  used.add(last);
  return [...pieces, last];
}
