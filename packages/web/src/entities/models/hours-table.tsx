import { t } from "@lingui/core/macro";
import { formatSliceTime } from "#/components/chart/slice-time.ts";
import { downloadText } from "#/lib/download-text.ts";
import { formatCount } from "#/lib/format.ts";
import { formatMilliseconds, formatRate, type Hour, toHoursCsv } from "./hours.ts";
import styles from "./hours-table.module.css";

/** The charts' figures as a table, with a CSV export. */
export function HoursTable({ hours, file }: { hours: readonly Hour[]; file: string }) {
  const activeHours = hours.filter(({ requests }) => requests > 0).reverse();
  return (
    <details className={styles.hoursTable}>
      <summary>{t`The same as a table`}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Time`}</th>
            <th scope="col" className="n">
              {t`Requests`}
            </th>
            <th scope="col" className="n">
              {t`Failed`}
            </th>
            <th scope="col" className="n">
              {t`First token`}
            </th>
            <th scope="col" className="n w">
              {t`Tokens/s`}
            </th>
          </tr>
        </thead>
        <tbody>
          {activeHours.map((hour) => (
            <tr key={hour.started_at.getTime()}>
              <td className="num">{formatSliceTime({ at: hour.started_at.toISOString() })}</td>
              <td className="n">{formatCount(hour.requests)}</td>
              <td className="n">{formatRate(hour.error_rate)}</td>
              <td className="n">{formatMilliseconds(hour.p50_ttft_ms)}</td>
              <td className="n w">{hour.tokens_per_s ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
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
