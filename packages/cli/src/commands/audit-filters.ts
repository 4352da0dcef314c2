import type { Query } from "@feather/sdk";
import { formatIsoDay } from "@feather/sdk/format";
import type { Flag, FlagValues } from "../command-line.ts";
import { UsageError } from "../errors.ts";
import { optionalText, parseDay, parseDuration } from "../flags.ts";

/** Flags that filter the log of the platform and that of an organization. */
export const AUDIT_FLAGS: readonly Flag[] = [
  { name: "--action <name>", summary: "what was done" },
  { name: "--actor <id>", summary: "who did it" },
  { name: "--target <id>", summary: "what it was done to" },
  { name: "--last <time>", summary: "time up to now, in whole days (UTC), such as 7d", parse: parseDuration },
  { name: "--from <date>", summary: "from this day on, in UTC", parse: parseDay },
  { name: "--to <date>", summary: "up to the end of this day", parse: parseDay },
];

/** Returns the query of `AUDIT_FLAGS`. Throws `UsageError` for flags that exclude each other. */
export function parseAuditFilters(flags: FlagValues, now: Date): Query<"organization.audit"> {
  const { actor, target, from, last } = flags;
  if (last !== undefined && (from !== undefined || flags.to !== undefined))
    throw new UsageError(`--last and --${from === undefined ? "to" : "from"} exclude each other`);
  const firstDay = typeof last === "number" ? formatIsoDay(new Date(now.getTime() - last)) : from;
  return {
    ...optionalText("action", flags.action),
    ...(typeof actor === "string" && { actor_id: actor }),
    ...(typeof target === "string" && { target }),
    ...(typeof firstDay === "string" && { from_date: firstDay }),
    ...(typeof flags.to === "string" && { to_date: flags.to }),
  };
}
