/** Returns the page numbers a pager shows: first, last, current and its neighbours, with `null` for each gap. */
export function pageNumbers(current: number, pages: number): (number | null)[] {
  const near = [1, current - 1, current, current + 1, pages].filter((page) => page >= 1 && page <= pages);
  const shown = [...new Set(near)].sort((a, b) => a - b);
  return shown.flatMap((page, index) => {
    const gap = page - (shown[index - 1] ?? 0);
    // A gap of a single page shows that page: an ellipsis would take the same space.
    return gap === 2 ? [page - 1, page] : gap > 2 ? [null, page] : [page];
  });
}
