import { t } from "@lingui/core/macro";
import { formatCount } from "#/lib/format.ts";

type DailyRequests = { day: string; requests: number; errors: number };

type Props = {
  days: readonly DailyRequests[];
  /** Whether a table is included; false on pages that have one. */
  hasTable?: boolean;
};

/** Requests per day as bars, with failed ones at the bottom, and the same data as a table. */
export function DailyRequestsChart({ days, hasTable = true }: Props) {
  const maxRequests = Math.max(1, ...days.map(({ requests }) => requests));
  return (
    <figure>
      <div className="bars" aria-hidden="true">
        {days.map(({ day, requests, errors }) => (
          <span key={day} title={t`${day}: ${formatCount(requests)} requests, ${formatCount(errors)} failed`}>
            <i style={{ height: `${(100 * (requests - errors)) / maxRequests}%` }} />
            <i className="failed" style={{ height: `${(100 * errors) / maxRequests}%` }} />
          </span>
        ))}
      </div>
      <div className="row between tiny dim num mt-1" aria-hidden="true">
        <span>{days[0]?.day}</span>
        <span>
          {t`most on a day:`} {formatCount(Math.max(0, ...days.map(({ requests }) => requests)))}
        </span>
        <span>{days.at(-1)?.day}</span>
      </div>
      {hasTable ? <DailyRequestsTable days={days} /> : null}
    </figure>
  );
}

function DailyRequestsTable({ days }: { days: readonly DailyRequests[] }) {
  return (
    <details className="small mt-2">
      <summary className="mid">{t`As a table`}</summary>
      <table className="mt-2">
        <thead>
          <tr>
            <th>{t`Day`}</th>
            <th className="n">{t`Requests`}</th>
            <th className="n">{t`Failed`}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, requests, errors }) => (
            <tr key={day}>
              <td className="num">{day}</td>
              <td className="n">{formatCount(requests)}</td>
              <td className="n">{formatCount(errors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
