/** Returns the page number in a query parameter; 1 for anything invalid. */
export function parsePage(text: string | null): number {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
