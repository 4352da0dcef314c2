import type { AuditEntry, Query } from "@feather/sdk";
import { formatIsoDay } from "@feather/sdk/format";
import type { Flag, FlagValues } from "../command-line.ts";
import { UsageError } from "../errors.ts";
import { optionalText, parseDay, parseDuration } from "../flags.ts";
import type { TableView } from "../output/index.ts";
import { formatAgo, formatRfc3339 } from "../output/time.ts";

/** Fields of an entry that `--json` accepts. */
export const AUDIT_FIELDS = [
  "id",
  "action",
  "actor_id",
  "subject_id",
  "organization_id",
  "credential",
  "target",
  "ip",
  "details",
  "hash",
  "created_at",
] as const satisfies readonly (keyof AuditEntry)[];

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

/** Returns the table of entries, with ages relative to a moment. */
export const auditTable = (now: Date): TableView<AuditEntry> => ({
  columns: [
    {
      header: "WHEN",
      cell: ({ created_at }) => formatAgo(created_at, now),
      plain: ({ created_at }) => formatRfc3339(created_at),
    },
    { header: "ACTION", cell: describeAction, plain: ({ action }) => action, paint: (text, style) => style.bold(text) },
    { header: "BY", cell: ({ actor_id }) => actor_id ?? "" },
    { header: "TO", cell: ({ target }) => target ?? "", dropOrder: 1 },
    { header: "FOR", cell: ({ subject_id }) => subject_id ?? "", dropOrder: 3 },
    { header: "FROM", cell: ({ ip }) => ip ?? "", dropOrder: 2 },
    { header: "ID", cell: ({ id }) => String(id), paint: (text, style) => style.dim(text), dropOrder: 4 },
  ],
  id: ({ id }) => String(id),
  noun: "entries",
  empty: "Nothing fits.",
});

/** Returns the action; for a refused call with its operation and the reason. */
function describeAction({ action, details }: AuditEntry): string {
  const { operation, reason } = details;
  if (action !== "access.denied" || typeof operation !== "string" || typeof reason !== "string") return action;
  return `${action}: ${operation}, ${reason.replaceAll(/[._]/g, " ")}`;
}
