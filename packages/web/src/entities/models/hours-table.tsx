import type { StatusHour } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { FiguresTable } from "#/components/chart/figures-table.tsx";
import { downloadText } from "#/lib/browser/download-text.ts";
import { formatCount } from "#/lib/format.ts";
import { formatMilliseconds, formatRate, toHoursCsv } from "./hours.ts";
import styles from "./hours-table.module.css";

/** The charts' figures as a table, with a CSV export. */
export function HoursTable({ hours, file }: { hours: readonly StatusHour[]; file: string }) {
  const activeHours = hours.filter(({ requests }) => requests > 0).reverse();
  return (
    <details className={styles.hoursTable}>
      <summary>{t`The same as a table`}</summary>
      <FiguresTable
        label={t`Requests and speed by the hour`}
        columns={[
          { id: "requests", name: t`Requests`, format: formatCount },
          { id: "error_rate", name: t`Failed`, format: formatRate },
          { id: "p50_ttft_ms", name: t`First token`, format: formatMilliseconds },
          { id: "tokens_per_s", name: t`Tokens/s`, format: String },
        ]}
        rows={activeHours.map(({ started_at, requests, error_rate, p50_ttft_ms, tokens_per_s }) => ({
          at: started_at.toISOString(),
          values: [requests, error_rate, p50_ttft_ms, tokens_per_s],
        }))}
      />
      <button
        type="button"
        className="btn mt-4"
        onClick={() => downloadText(`${file}.csv`, "text/csv", toHoursCsv(hours))}
      >
        {t`Export CSV`}
      </button>
    </details>
  );
}
