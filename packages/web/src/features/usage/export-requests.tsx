import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useToast } from "#/components/ui/toast.tsx";
import { save } from "#/lib/download.ts";
import { faultOf } from "#/lib/fault.ts";
import { count } from "#/lib/format.ts";
import { receiptsAsCsv } from "./csv.ts";
import { allRequests, MOST_EXPORTED } from "./queries.ts";

type Props = { days: number; total: number };

/** A button that exports all requests of the period as CSV. */
export function ExportRequests({ days, total }: Props) {
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);

  async function download(): Promise<void> {
    setIsBusy(true);
    try {
      save("requests.csv", "text/csv", receiptsAsCsv(await allRequests(days)));
      if (total > MOST_EXPORTED)
        toast({ title: t`The latest ${count(MOST_EXPORTED)} of ${count(total)} requests are in the file` });
    } catch (error) {
      toast({ title: faultOf(error).message, variant: "destructive" });
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
