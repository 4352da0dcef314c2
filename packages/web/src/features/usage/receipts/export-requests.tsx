import { t } from "@lingui/core/macro";
import { downloadText } from "#/lib/browser/download-text.ts";
import { formatCount } from "#/lib/format.ts";
import { useToast } from "#/lib/toast.ts";
import { useAction } from "#/lib/use-action.ts";
import type { Period } from "../period.ts";
import { loadAllRequests, MAX_EXPORTED_REQUESTS } from "../queries.ts";
import { toReceiptsCsv } from "./receipts-csv.ts";

type Props = { period: Period; total: number };

/** A button that exports all requests of the period as CSV. */
export function ExportRequests({ period, total }: Props) {
  const toast = useToast();
  const { run: download, busy } = useAction(loadAllRequests, {
    onSuccess(requests) {
      downloadText("requests.csv", "text/csv", toReceiptsCsv(requests));
      if (total > MAX_EXPORTED_REQUESTS)
        toast({
          title: t`The latest ${formatCount(MAX_EXPORTED_REQUESTS)} of ${formatCount(total)} requests are in the file`,
        });
    },
  });

  return (
    <button
      type="button"
      className="btn"
      disabled={total === 0 || busy}
      aria-busy={busy}
      onClick={() => void download(period)}
    >
      {busy ? t`Reading the requests …` : t`Export requests as CSV`}
    </button>
  );
}
