import { useQueries } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { count } from "#/lib/format.ts";
import { adminPaths } from "../paths.ts";
import { Panel } from "./panel.tsx";
import { totals } from "./queries.ts";

const TASKS = [
  {
    query: totals.applications,
    one: "application to review",
    many: "applications to review",
    to: adminPaths.applications("pending"),
  },
  { query: totals.reviews, one: "reported review", many: "reported reviews", to: adminPaths.reviews },
  {
    query: totals.waiting,
    one: "message waiting in the outbox",
    many: "messages waiting in the outbox",
    to: adminPaths.outbox("waiting"),
  },
  {
    query: totals.failed,
    one: "message that could not be sent",
    many: "messages that could not be sent",
    to: adminPaths.outbox("failed"),
  },
  {
    query: totals.suspended,
    one: "suspended account",
    many: "suspended accounts",
    to: `${adminPaths.users}?status=suspended`,
  },
] as const;

/** What waits for somebody. */
export function TodoPanel() {
  const answers = useQueries({ queries: TASKS.map(({ query }) => query) });
  const failed = answers.find(({ isError }) => isError);
  const known = answers.every(({ data }) => data !== undefined) ? answers.map(({ data }) => data ?? 0) : undefined;
  return (
    <Panel
      title="Waits for you"
      to={adminPaths.outbox()}
      more="Outbox"
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
          {TASKS.map(({ one, many, to }, index) => (
            <li key={many}>
              <Link className={numbers[index] === 0 ? "mid" : ""} to={to}>
                {numbers[index] === 1 ? one : many}
              </Link>
              <span className="num">{count(numbers[index] ?? 0)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
