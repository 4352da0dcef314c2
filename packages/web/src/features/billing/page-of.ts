/** The page that an address names; the first for anything else. */
export function pageOf(text: string | null): number {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
