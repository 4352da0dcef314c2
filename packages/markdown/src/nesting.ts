/** Quotes and lists within each other. Each level is more work for everything below it. */
const MAX_LEVELS = 100;
/** What a line begins with, before its words: marks of quotes and lists. */
const LINE_START = /^[ \t>+*\-\d.)]+/gm;
const MARK = />|[-+*](?=[ \t])|\d[.)](?=[ \t])/g;

/** The problem of a text for which `isNestedTooDeep` holds. */
export const NESTED_TOO_DEEP = `It has quotes or lists in more than ${MAX_LEVELS} levels.`;

/**
 * Returns whether a line of a text begins more quotes and lists within each other than anybody writes. Compiling such a text
 * takes minutes, or more memory than there is.
 */
export function isNestedTooDeep(markdown: string): boolean {
  for (const [start] of markdown.matchAll(LINE_START)) if ((start.match(MARK)?.length ?? 0) > MAX_LEVELS) return true;
  return false;
}
