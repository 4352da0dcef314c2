import { count } from "#/lib/format.ts";

export type Pagination = { current_page: number; per_page: number; total_items: number; total_pages: number };

type Props = Pagination & { what: string; go(page: number): void };

/** Where one is in a list, and the way on. */
export function Pager({ current_page: page, per_page: size, total_items: total, total_pages: pages, what, go }: Props) {
  if (total === 0) return null;
  return (
    <nav className="row between mt-4" aria-label={`Pages of ${what}`}>
      <span className="small dim num">
        {count((page - 1) * size + 1)} to {count(Math.min(page * size, total))} of {count(total)}
      </span>
      {pages > 1 ? (
        <span className="row">
          <button type="button" className="btn" disabled={page <= 1} onClick={() => go(page - 1)}>
            Previous
          </button>
          <button type="button" className="btn" disabled={page >= pages} onClick={() => go(page + 1)}>
            Next
          </button>
        </span>
      ) : null}
    </nav>
  );
}
