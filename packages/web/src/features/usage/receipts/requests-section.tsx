import type { ReceiptList } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ReceiptsTable } from "./receipts-table.tsx";

type Props = {
  requests: ReceiptList;
  keyNames: ReadonlyMap<string, string>;
  page: number;
  goToPage(page: number): void;
};

/** One page of the requests of a period. */
export function RequestsSection({ requests: { items, pagination }, keyNames, page, goToPage }: Props) {
  return (
    <>
      <h2 className="h4 mt-8">{t`Requests`}</h2>
      <ReceiptsTable receipts={items} keyNames={keyNames} />
      <div className="row between mt-4">
        <button type="button" className="btn" disabled={page === 1} onClick={() => goToPage(page - 1)}>
          {t`Newer`}
        </button>
        <span className="small muted num">
          <Trans>
            {page} of {pagination.total_pages}
          </Trans>
        </span>
        <button
          type="button"
          className="btn"
          disabled={page >= pagination.total_pages}
          onClick={() => goToPage(page + 1)}
        >
          {t`Older`}
        </button>
      </div>
    </>
  );
}
