/** Which page numbers a pager shows: the ends, the current one with its neighbours, and `null` for a gap of several. */
export function pageNumbers(current: number, pages: number): (number | null)[] {
  const near = [1, current - 1, current, current + 1, pages].filter((page) => page >= 1 && page <= pages);
  const shown = [...new Set(near)].sort((a, b) => a - b);
  return shown.flatMap((page, index) => {
    const gap = page - (shown[index - 1] ?? 0);
    // A gap of one is that page: three dots would take the same room.
    return gap === 2 ? [page - 1, page] : gap > 2 ? [null, page] : [page];
  });
}
