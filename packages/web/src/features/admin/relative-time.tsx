import { t } from "@lingui/core/macro";
import { formatRelativeTime } from "#/lib/format.ts";

/** A time relative to now; the exact time as tooltip. */
export function RelativeTime({ date, emptyText = t`never` }: { date: Date | null; emptyText?: string }) {
  if (date === null) return <span className="faint">{emptyText}</span>;
  return (
    <time className="small muted num whitespace-nowrap" dateTime={date.toISOString()} title={date.toISOString()}>
      {formatRelativeTime(date)}
    </time>
  );
}
