/** Goes through the pages of a list, newest first. Nothing where there is only one. */
export function Pager({
  page,
  pages,
  go,
  what,
}: {
  page: number;
  pages: number;
  go(page: number): void;
  what: string;
}) {
  if (pages <= 1) return null;
  return (
    <nav className="row between mt-4" aria-label={`Pages of ${what}`}>
      <button type="button" className="btn" disabled={page <= 1} onClick={() => go(page - 1)}>
        Newer
      </button>
      <span className="small mid num">
        {page} of {pages}
      </span>
      <button type="button" className="btn" disabled={page >= pages} onClick={() => go(page + 1)}>
        Older
      </button>
    </nav>
  );
}

/** The page that an address names; the first for anything else. */
export function pageOf(text: string | null): number {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
