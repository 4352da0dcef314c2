import type { SearchPage } from "./types.ts";

/** A page or heading that matches a search. */
export type SearchHit = { to: string; title: string; section: string; excerpt: string };

const MOST_HITS = 12;
const AROUND = 60;
const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_./-]*/gu) ?? [];

type Scored = SearchHit & { score: number };

/**
 * Returns pages and headings that contain every term, best first: titles rank before headings, headings before text.
 */
export function searchDocs(pages: readonly SearchPage[], query: string): SearchHit[] {
  const wanted = words(query);
  if (wanted.length === 0) return [];
  return pages
    .flatMap((page) => hitsOf(page, wanted))
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_HITS)
    .map(({ score: _, ...hit }) => hit);
}

function hitsOf(page: SearchPage, wanted: readonly string[]): Scored[] {
  const hits: Scored[] = page.headings.flatMap(({ id, text, words: more = "" }) => {
    const score = scoreOf(`${text} ${more}`, wanted);
    return score === 0
      ? []
      : [{ to: `/docs/${page.slug}#${id}`, title: text, section: page.title, excerpt: "", score: score * 2 }];
  });
  const title = scoreOf(page.title, wanted);
  const lower = page.text.toLowerCase();
  const inText = wanted.every((word) => lower.includes(word));
  if (title > 0 || (inText && hits.length === 0))
    hits.push({
      to: `/docs/${page.slug}`,
      title: page.title,
      section: page.section,
      excerpt: inText ? excerptOf(page.text, wanted[0] ?? "") : "",
      score: title > 0 ? title * 4 : 1,
    });
  return hits;
}

/** Returns 0 if a term is missing; more for matches at the start of a word, most for whole words. */
function scoreOf(text: string, wanted: readonly string[]): number {
  const own = words(text);
  let score = 0;
  for (const word of wanted) {
    if (own.includes(word)) score += 4;
    else if (own.some((candidate) => candidate.startsWith(word))) score += 3;
    else if (own.some((candidate) => candidate.includes(word))) score += 2;
    else return 0;
  }
  return score / wanted.length;
}

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const from = at <= AROUND ? 0 : text.indexOf(" ", at - AROUND) + 1;
  const end = at + word.length + AROUND;
  const to = end >= text.length ? text.length : Math.max(text.lastIndexOf(" ", end), at + word.length);
  return `${from > 0 ? "…" : ""}${text.slice(from, to).trim()}${to < text.length ? "…" : ""}`;
}
