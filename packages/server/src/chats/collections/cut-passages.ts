/** Where a passage is in a text, in UTF-16 code units, and on which page; null in a text without pages. */
export type Cut = { page: number | null; start: number; end: number };

/** About 300 tokens, so that models with a short context can read each passage. */
const MAX_CHARACTERS = 1_200;
/** The same for scripts of which each character is about a token. */
const MAX_WIDE_CHARACTERS = 400;
const WIDE = /[\u2e80-\uffff]/g;
/** How much of a passage the next one repeats, so that a sentence at a boundary is whole in one of them. */
const OVERLAP_SHARE = 1 / 8;
/** A passage does not end earlier than this, unless its page does. */
const MIN_SHARE = 0.6;
/** Where passages end, from the best to the worst. */
const BOUNDARIES: readonly RegExp[] = [/\n\s*\n/g, /\n/g, /[.!?…。！？]\s|[。！？]/g, /\s/g];
const PAGE_LINE = /^--- (?:page|sheet) (\d+) of \d+(?::.*)? ---$/gm;

/** Cuts a text into passages that overlap a little. None goes beyond a page, if the text has lines that begin its pages. */
export function cutPassages(text: string, hasPages: boolean): Cut[] {
  return listPages(text, hasPages).flatMap((page) => cutPage(text, page));
}

function listPages(text: string, hasPages: boolean): Cut[] {
  if (!hasPages) return [{ page: null, start: 0, end: text.length }];
  const pages: Cut[] = [];
  for (const match of text.matchAll(PAGE_LINE)) {
    // A page may hold a line like this itself; the lines that begin pages count up.
    if (Number(match[1]) !== pages.length + 1) continue;
    const last = pages.at(-1);
    if (last !== undefined) last.end = match.index;
    pages.push({ page: pages.length + 1, start: match.index + match[0].length, end: text.length });
  }
  return pages;
}

function cutPage(text: string, { page, start, end }: Cut): Cut[] {
  const cuts: Cut[] = [];
  for (let from = skipSpace(text, start, end); from < end; ) {
    const max = maxCharactersAt(text, from);
    const to = end - from <= max ? end : findBoundary(text, from, max);
    const trimmed = from + text.slice(from, to).trimEnd().length;
    cuts.push({ page, start: from, end: trimmed });
    if (to === end) break;
    from = skipSpace(text, findOverlap(text, from, to), end);
  }
  return cuts;
}

function maxCharactersAt(text: string, from: number): number {
  const part = text.slice(from, from + MAX_WIDE_CHARACTERS);
  return (part.match(WIDE)?.length ?? 0) > part.length / 2 ? MAX_WIDE_CHARACTERS : MAX_CHARACTERS;
}

function skipSpace(text: string, from: number, end: number): number {
  const rest = text.slice(from, end);
  return from + rest.length - rest.trimStart().length;
}

/** Returns the end of the passage that begins at `from` and has at most `max` characters. */
function findBoundary(text: string, from: number, max: number): number {
  const part = text.slice(from, from + max);
  for (const boundary of BOUNDARIES) {
    const last = [...part.matchAll(boundary)].at(-1);
    if (last !== undefined && last.index >= max * MIN_SHARE) return from + last.index + last[0].length;
  }
  return keepPair(text, from + max);
}

/** Returns where the passage after one begins: at a word near its end. */
function findOverlap(text: string, from: number, to: number): number {
  const earliest = keepPair(text, to - Math.floor((to - from) * OVERLAP_SHARE));
  const space = text.slice(earliest, to).search(/\s/);
  return space < 0 ? earliest : earliest + space;
}

/** Returns the place, or the one before where it would part a surrogate pair. */
const keepPair = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at);
