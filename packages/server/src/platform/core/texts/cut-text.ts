/**
 * Returns the beginning of a text: at most `limit` UTF-16 code units, and no half of a character that takes two. Halves that
 * the text itself has become U+FFFD.
 */
export function cutText(text: string, limit: number): string {
  const wellFormed = text.toWellFormed();
  const cut = wellFormed.slice(0, limit);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
