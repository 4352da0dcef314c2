import { plural, t } from "@lingui/core/macro";
import { useQueries } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { formatCount } from "#/lib/format.ts";
import { adminPaths } from "../paths.ts";
import { Panel } from "./panel.tsx";
import { totalQueries } from "./queries.ts";

const TODO_ITEMS = [
  {
    query: totalQueries.applications,
    label: (n: number) => plural(n, { one: "application to review", other: "applications to review" }),
    to: adminPaths.applications("pending"),
  },
  {
    query: totalQueries.reviews,
    label: (n: number) => plural(n, { one: "reported review", other: "reported reviews" }),
    to: adminPaths.reviews,
  },
  {
    query: totalQueries.waiting,
    label: (n: number) => plural(n, { one: "message waiting in the outbox", other: "messages waiting in the outbox" }),
    to: adminPaths.outbox("waiting"),
  },
  {
    query: totalQueries.failed,
    label: (n: number) =>
      plural(n, { one: "message that could not be sent", other: "messages that could not be sent" }),
    to: adminPaths.outbox("failed"),
  },
  {
    query: totalQueries.suspended,
    label: (n: number) => plural(n, { one: "suspended account", other: "suspended accounts" }),
    to: `${adminPaths.users}?status=suspended`,
  },
] as const;

/** Counts of everything that needs an admin's attention. */
export function TodoPanel() {
  const results = useQueries({ queries: TODO_ITEMS.map(({ query }) => query) });
  const failed = results.find(({ isError }) => isError);
  const counts = results.every(({ data }) => data !== undefined) ? results.map(({ data }) => data ?? 0) : undefined;
  return (
    <Panel
      title={t`Waits for you`}
      to={adminPaths.outbox()}
      linkLabel={t`Outbox`}
      query={{
        data: counts,
        isError: failed !== undefined,
        error: failed?.error ?? null,
        refetch: async () => {
          await Promise.all(results.map((answer) => answer.refetch()));
          return results[0] as never;
        },
      }}
    >
      {(numbers) => (
        <ul>
          {TODO_ITEMS.map(({ label, to }, index) => (
            <li key={to}>
              <Link className={numbers[index] === 0 ? "muted" : ""} to={to}>
                {label(numbers[index] ?? 0)}
              </Link>
              <span className="num">{formatCount(numbers[index] ?? 0)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
