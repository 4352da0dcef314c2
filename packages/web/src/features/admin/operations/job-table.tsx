import type { OperationsJob } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type Column, ListTable } from "#/components/list/list-table.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatCount } from "#/lib/format.ts";
import { formatMilliseconds } from "./format.ts";

const MS_PER_SECOND = 1_000;

const COLUMNS: Column<OperationsJob>[] = [
  { header: t`Job`, cell: ({ name }) => name },
  { header: t`State`, cell: (job) => <JobState job={job} /> },
  { header: t`Runs`, cell: ({ runs }) => formatCount(runs), isNumeric: true },
  { header: t`Failed`, cell: ({ failures }) => formatCount(failures), isNumeric: true },
  {
    header: t`Last run took`,
    cell: ({ last_duration_ms }) => (last_duration_ms === null ? "–" : formatMilliseconds(last_duration_ms)),
    isNumeric: true,
    hideWhenNarrow: true,
  },
];

/** A job that misses fewer seconds than this is on time: its runs take some. */
const LATE_SECONDS = 60;

function JobState({ job: { lag_seconds, failures, is_running } }: { job: OperationsJob }) {
  const late = formatMilliseconds(lag_seconds * MS_PER_SECOND);
  return (
    <span className="small">
      {lag_seconds >= LATE_SECONDS ? (
        <StateBadge tier="bad">{failures > 0 ? t`fails, late by ${late}` : t`late by ${late}`}</StateBadge>
      ) : (
        <StateBadge tier="good">{is_running ? t`runs now` : t`on time`}</StateBadge>
      )}
    </span>
  );
}

/** The background jobs, late ones first. */
export function JobTable({ jobs }: { jobs: readonly OperationsJob[] }) {
  const sorted = jobs.toSorted((a, b) => b.lag_seconds - a.lag_seconds || a.name.localeCompare(b.name));
  return <ListTable caption={t`Background jobs`} columns={COLUMNS} items={sorted} idOf={({ name }) => name} />;
}
