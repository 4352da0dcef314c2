import { plural, t } from "@lingui/core/macro";
import { useQueries } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { count } from "#/lib/format.ts";
import { adminPaths } from "../paths.ts";
import { Panel } from "./panel.tsx";
import { totals } from "./queries.ts";

const TASKS = [
  {
    query: totals.applications,
    words: (n: number) => plural(n, { one: "application to review", other: "applications to review" }),
    to: adminPaths.applications("pending"),
  },
  {
    query: totals.reviews,
    words: (n: number) => plural(n, { one: "reported review", other: "reported reviews" }),
    to: adminPaths.reviews,
  },
  {
    query: totals.waiting,
    words: (n: number) => plural(n, { one: "message waiting in the outbox", other: "messages waiting in the outbox" }),
    to: adminPaths.outbox("waiting"),
  },
  {
    query: totals.failed,
    words: (n: number) =>
      plural(n, { one: "message that could not be sent", other: "messages that could not be sent" }),
    to: adminPaths.outbox("failed"),
  },
  {
    query: totals.suspended,
    words: (n: number) => plural(n, { one: "suspended account", other: "suspended accounts" }),
    to: `${adminPaths.users}?status=suspended`,
  },
] as const;

/** Counts of everything that needs an admin's attention. */
export function TodoPanel() {
  const answers = useQueries({ queries: TASKS.map(({ query }) => query) });
  const failed = answers.find(({ isError }) => isError);
  const known = answers.every(({ data }) => data !== undefined) ? answers.map(({ data }) => data ?? 0) : undefined;
  return (
    <Panel
      title={t`Waits for you`}
      to={adminPaths.outbox()}
      more={t`Outbox`}
      query={{
        data: known,
        isError: failed !== undefined,
        error: failed?.error ?? null,
        refetch: async () => {
          await Promise.all(answers.map((answer) => answer.refetch()));
          return answers[0] as never;
        },
      }}
    >
      {(numbers) => (
        <ul>
          {TASKS.map(({ words, to }, index) => (
            <li key={to}>
              <Link className={numbers[index] === 0 ? "mid" : ""} to={to}>
                {words(numbers[index] ?? 0)}
              </Link>
              <span className="num">{count(numbers[index] ?? 0)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
