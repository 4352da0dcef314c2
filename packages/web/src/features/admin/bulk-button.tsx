import { t } from "@lingui/core/macro";
import { count } from "#/lib/format.ts";
import type { useBulk } from "./use-bulk.ts";

/** The server's limit for one request. */
const MOST = 100;

/** Runs an action for all selected rows. */
export function BulkButton({
  label,
  ids,
  many,
}: {
  label: string;
  ids: readonly string[];
  many: ReturnType<typeof useBulk>;
}) {
  return (
    <button
      type="button"
      className="btn"
      disabled={many.busy || ids.length > MOST}
      aria-busy={many.busy}
      onClick={() => void many.run(ids)}
    >
      {many.busy ? t`Working …` : `${label} ${count(ids.length)}`}
    </button>
  );
}
