/**
 * The data of a byte-pair tokenizer besides the 256 single bytes: its merges in order of rank. The tokens that merges
 * produce follow from them.
 */
export type BytePairs = { merges: [left: string, right: string][] };

/**
 * The printable character that stands for each byte in GPT-2 style vocabularies: visible Latin-1 characters stand
 * for themselves, the rest (controls, the space, some gaps) are moved up past U+0100.
 */
export function byteCharacters(): string[] {
  const isVisible = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let moved = 0;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isVisible(byte) ? byte : 256 + moved++));
}

/** Writes text in the byte alphabet of {@link byteCharacters}: its UTF-8 bytes, one character each. */
export function toByteAlphabet(text: string): string {
  const characters = byteCharacters();
  return Array.from(Buffer.from(text, "utf8"), (byte) => characters[byte] ?? "").join("");
}

/**
 * Learns up to `count` merges from a text by the usual rule: join the most frequent neighbouring pair, again and
 * again; between equally frequent pairs the alphabetically first wins, so that the result never varies.
 */
export function learnMerges(text: string, count: number): BytePairs {
  const words = wordCounts(text);
  const merges: [string, string][] = [];
  while (merges.length < count) {
    const pair = mostFrequentPair(words);
    if (!pair) break;
    merges.push(pair);
    for (const word of words) word.symbols = joinPair(word.symbols, pair);
  }
  return { merges };
}

type Word = { symbols: string[]; count: number };

function wordCounts(text: string): Word[] {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/ ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Array.from(counts, ([word, count]) => ({ symbols: Array.from(toByteAlphabet(word)), count }));
}

function mostFrequentPair(words: readonly Word[]): [string, string] | undefined {
  const counts = new Map<string, number>();
  for (const { symbols, count } of words) {
    for (const [index, right] of symbols.entries()) {
      const left = symbols[index - 1];
      // The space never occurs inside the byte alphabet, so it separates the two halves of a key.
      if (left !== undefined) counts.set(`${left} ${right}`, (counts.get(`${left} ${right}`) ?? 0) + count);
    }
  }
  let best: { key: string; count: number } | undefined;
  for (const [key, count] of counts) {
    if (!best || count > best.count || (count === best.count && key < best.key)) best = { key, count };
  }
  if (!best || best.count < 2) return undefined;
  const [left = "", right = ""] = best.key.split(" ");
  return [left, right];
}

function joinPair(symbols: readonly string[], [left, right]: readonly [string, string]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < symbols.length; index++) {
    const symbol = symbols[index] ?? "";
    const isPair = symbol === left && symbols[index + 1] === right;
    joined.push(isPair ? left + right : symbol);
    if (isPair) index++;
  }
  return joined;
}
