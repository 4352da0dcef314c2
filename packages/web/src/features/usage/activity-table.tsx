import { t } from "@lingui/core/macro";
import { count } from "#/lib/format.ts";
import type { Activity } from "./activity.ts";
import { timeOf } from "./activity-chart.tsx";

type Props = { activity: Activity; nameOf(id: string | null): string };

/** The figures of the chart, the latest first. Slices without requests are left out. */
export function ActivityTable({ activity: { series, slices }, nameOf }: Props) {
  const called = slices.filter(({ requests }) => requests > 0).toReversed();
  if (called.length === 0) return <p className="mid mt-2">{t`Nothing was called in this period.`}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too
    <section className="scrolled mt-2" tabIndex={0} aria-label={t`Figures of the chart`}>
      <table>
        <thead>
          <tr>
            <th>{t`Time`}</th>
            {series.map(({ id }) => (
              <th key={id ?? "others"} className="n stranger">
                {nameOf(id)}
              </th>
            ))}
            <th className="n">{t`Requests`}</th>
            <th className="n">{t`Failed`}</th>
          </tr>
        </thead>
        <tbody>
          {called.map(({ at, tokens, requests, errors }) => (
            <tr key={at}>
              <td className="num">{timeOf(at)}</td>
              {tokens.map((value, index) => (
                <td key={series[index]?.id ?? "others"} className="n">
                  {value === 0 ? "–" : count(value)}
                </td>
              ))}
              <td className="n">{count(requests)}</td>
              <td className="n">{errors === 0 ? "–" : count(errors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
