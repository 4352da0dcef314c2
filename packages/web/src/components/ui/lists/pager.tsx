import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { formatCount } from "#/lib/format.ts";
import { pageNumbers } from "./page-numbers.ts";
import styles from "./pager.module.css";

/** The pagination of a list response of the API. */
export type Pagination = { current_page: number; per_page: number; total_items: number; total_pages: number };

type Props = Pagination & {
  label: string;
  goToPage(page: number): void;
  /** The id of the element to scroll to after a page change, because the pager is below the list. */
  scrollTargetId?: string;
};

/** The position in a paginated list, with buttons for the other pages. */
export function Pager({ current_page: page, per_page: size, total_items: total, total_pages: pages, ...rest }: Props) {
  const { label, goToPage, scrollTargetId } = rest;
  if (total === 0 || page > pages) return null;
  function changePage(nextPage: number): void {
    goToPage(nextPage);
    if (scrollTargetId) document.getElementById(scrollTargetId)?.scrollIntoView({ block: "start" });
  }
  return (
    <nav className={styles.pager} aria-label={t`Pages of ${label}`}>
      <span className="small faint num">
        <Trans>
          {formatCount((page - 1) * size + 1)} to {formatCount(Math.min(page * size, total))} of {formatCount(total)}
        </Trans>
      </span>
      {pages > 1 ? (
        <span className="row">
          <button type="button" className="btn" disabled={page <= 1} onClick={() => changePage(page - 1)}>
            {t`Previous`}
          </button>
          <span className={`${styles.pageNumbers} num`}>
            {pageNumbers(page, pages).map((number, index) =>
              number === null ? (
                <span key={index === 1 ? "before" : "after"} className="faint" aria-hidden="true">
                  …
                </span>
              ) : (
                <button
                  key={number}
                  type="button"
                  className="btn ghost"
                  aria-label={t`Page ${formatCount(number)}`}
                  aria-current={number === page ? "page" : undefined}
                  onClick={() => changePage(number)}
                >
                  {formatCount(number)}
                </button>
              ),
            )}
          </span>
          <button type="button" className="btn" disabled={page >= pages} onClick={() => changePage(page + 1)}>
            {t`Next`}
          </button>
        </span>
      ) : null}
    </nav>
  );
}
