import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { save } from "#/lib/download.ts";
import { count } from "#/lib/format.ts";
import { type Activity, activityAsCsv, activityOf, SPLITS, type Split } from "./activity.ts";
import { ActivityChart } from "./activity-chart.tsx";
import { ActivityTable } from "./activity-table.tsx";
import { outcomeWord } from "./outcomes.ts";
import { activityQuery } from "./queries.ts";

const SPLIT_WORDS: Record<Split, string> = {
  api_key: t`Tokens by key`,
  model: t`Tokens by model`,
  outcome: t`Tokens by result`,
};

type Props = { days: number; keyNames: ReadonlyMap<string, string> };

/** Tokens over the days of a period, told apart by key, model or result; as a chart, a table and a file. */
export function ActivitySection({ days, keyNames }: Props) {
  const [params, setParams] = useSearchParams();
  const split = SPLITS.find((one) => one === params.get("by")) ?? "api_key";
  const report = useQuery(activityQuery(days, split));
  const nameOf = (id: string | null) => seriesName(id, split, keyNames);
  const activity = report.data && activityOf(report.data.items, split, days, report.data.end_date);
  const choose = (by: string) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.set("by", by);
        return next;
      },
      { replace: true },
    );
  return (
    <section className="mt-8" aria-labelledby="activity">
      <div className="row between wraps">
        <h2 className="h4" id="activity">
          {SPLIT_WORDS[split]}
        </h2>
        <div className="row">
          <select
            className="input"
            style={{ width: "auto" }}
            aria-label={t`Told apart by`}
            value={split}
            onChange={(event) => choose(event.target.value)}
          >
            {SPLITS.map((one) => (
              <option key={one} value={one}>
                {SPLIT_WORDS[one]}
              </option>
            ))}
          </select>
          <button
            type="button"
            className="btn"
            disabled={!activity}
            onClick={() => activity && save("tokens.csv", "text/csv", activityAsCsv(activity, nameOf))}
          >
            {t`Export tokens as CSV`}
          </button>
        </div>
      </div>
      {report.isError ? (
        <ReadFault what={t`Tokens`} error={report.error} again={() => void report.refetch()} />
      ) : activity ? (
        <figure className="activity">
          <Legend activity={activity} nameOf={nameOf} />
          <ActivityChart activity={activity} nameOf={nameOf} label={SPLIT_WORDS[split]} />
          <details className="small mt-2">
            <summary className="mid">{t`As a table`}</summary>
            <ActivityTable activity={activity} nameOf={nameOf} />
          </details>
        </figure>
      ) : (
        <Skeleton height={230} />
      )}
    </section>
  );
}

function Legend({ activity, nameOf }: { activity: Activity; nameOf(id: string | null): string }) {
  return (
    <ul className="legend small">
      {activity.series.map(({ id, total }, index) => (
        <li key={id ?? "others"}>
          <i className={`swatch series-${index + 1}`} aria-hidden="true" />
          <span className="stranger">{nameOf(id)}</span> <span className="dim num">{count(total)}</span>
        </li>
      ))}
    </ul>
  );
}

function seriesName(id: string | null, split: Split, keyNames: ReadonlyMap<string, string>): string {
  if (id === null) return t`others`;
  if (split === "outcome") return outcomeWord(id);
  if (split === "model") return id;
  return id === "" ? t`this site` : (keyNames.get(id) ?? t`a deleted key`);
}
