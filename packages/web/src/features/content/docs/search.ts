import type { SearchPage } from "../types.ts";

/** A page or heading that matches a search. */
export type SearchHit = { to: string; titleScore: string; section: string; excerpt: string };

const MAX_HITS = 12;
const EXCERPT_RADIUS = 60;
const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_][\p{L}\p{N}_./-]*/gu) ?? [];

type ScoredHit = SearchHit & { score: number };

/**
 * Returns pages and headings that contain every term, best first: titles rank before headings, headings before text.
 */
export function searchDocs(pages: readonly SearchPage[], query: string): SearchHit[] {
  const terms = splitWords(query);
  if (terms.length === 0) return [];
  return pages
    .flatMap((page) => findHits(page, terms))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_HITS)
    .map(({ score: _, ...hit }) => hit);
}

function findHits(page: SearchPage, terms: readonly string[]): ScoredHit[] {
  const hits: ScoredHit[] = page.headings.flatMap(({ id, text, searchWords: extraWords = "" }) => {
    const score = scoreText(`${text} ${extraWords}`, terms);
    return score === 0
      ? []
      : [{ to: `/docs/${page.slug}#${id}`, titleScore: text, section: page.title, excerpt: "", score: score * 2 }];
  });
  const titleScore = scoreText(page.title, terms);
  const lowerText = page.text.toLowerCase();
  const isInText = terms.every((word) => lowerText.includes(word));
  if (titleScore > 0 || (isInText && hits.length === 0))
    hits.push({
      to: `/docs/${page.slug}`,
      titleScore: page.title,
      section: page.section,
      excerpt: isInText ? createExcerpt(page.text, terms[0] ?? "") : "",
      score: titleScore > 0 ? titleScore * 4 : 1,
    });
  return hits;
}

/** Returns 0 if a term is missing; more for matches at the start of a word, most for whole words. */
function scoreText(text: string, terms: readonly string[]): number {
  const textWords = splitWords(text);
  let score = 0;
  for (const word of terms) {
    if (textWords.includes(word)) score += 4;
    else if (textWords.some((candidate) => candidate.startsWith(word))) score += 3;
    else if (textWords.some((candidate) => candidate.includes(word))) score += 2;
    else return 0;
  }
  return score / terms.length;
}

function createExcerpt(text: string, word: string): string {
  const matchStart = Math.max(0, text.toLowerCase().indexOf(word));
  const from = matchStart <= EXCERPT_RADIUS ? 0 : text.indexOf(" ", matchStart - EXCERPT_RADIUS) + 1;
  const end = matchStart + word.length + EXCERPT_RADIUS;
  const to = end >= text.length ? text.length : Math.max(text.lastIndexOf(" ", end), matchStart + word.length);
  return `${from > 0 ? "…" : ""}${text.slice(from, to).trim()}${to < text.length ? "…" : ""}`;
}
