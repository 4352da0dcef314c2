import { t } from "@lingui/core/macro";
import { formatCount } from "#/lib/format.ts";
import type { useBulkAction } from "./use-bulk-action.ts";

/** The server's limit for one request. */
const MAX_BULK_IDS = 100;

/** Runs an action for all selected rows. */
export function BulkButton({
  label,
  ids,
  bulkAction,
}: {
  label: string;
  ids: readonly string[];
  bulkAction: ReturnType<typeof useBulkAction>;
}) {
  const isTooMany = ids.length > MAX_BULK_IDS;
  return (
    <>
      <button
        type="button"
        className="btn"
        disabled={bulkAction.busy || ids.length === 0 || isTooMany}
        aria-busy={bulkAction.busy}
        onClick={() => bulkAction.run(ids)}
      >
        {bulkAction.busy ? t`Working …` : `${label} ${formatCount(ids.length)}`}
      </button>
      {isTooMany ? (
        <span className="muted small">{t`${label}: at most ${formatCount(MAX_BULK_IDS)} at once`}</span>
      ) : null}
    </>
  );
}
