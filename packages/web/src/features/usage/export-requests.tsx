import { t } from "@lingui/core/macro";
import { useState } from "react";
import { downloadText } from "#/lib/download-text.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { formatCount } from "#/lib/format.ts";
import { useToast } from "#/lib/toast.ts";
import type { Period } from "./period.ts";
import { loadAllRequests, MAX_EXPORTED_REQUESTS } from "./queries.ts";
import { toReceiptsCsv } from "./receipts-csv.ts";

type Props = { period: Period; total: number };

/** A button that exports all requests of the period as CSV. */
export function ExportRequests({ period, total }: Props) {
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);

  async function download(): Promise<void> {
    setIsBusy(true);
    try {
      downloadText("requests.csv", "text/csv", toReceiptsCsv(await loadAllRequests(period)));
      if (total > MAX_EXPORTED_REQUESTS)
        toast({
          title: t`The latest ${formatCount(MAX_EXPORTED_REQUESTS)} of ${formatCount(total)} requests are in the file`,
        });
    } catch (error) {
      toast({ title: errorMessage(error), variant: "destructive" });
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <button
      type="button"
      className="btn"
      disabled={total === 0 || isBusy}
      aria-busy={isBusy}
      onClick={() => void download()}
    >
      {isBusy ? t`Reading the requests …` : t`Export requests as CSV`}
    </button>
  );
}
