import type { AuditEntry, Query } from "@feather/sdk";
import { formatIsoDay } from "@feather/sdk/format";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { isSet, optionalText, parseDay, parseDuration } from "../../../flags.ts";
import type { Column } from "../../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";

/** Filters and paging of `admin audit list`. */
export type AuditListOptions = Query<"admin.audit"> & { readonly paging: Paging };

const FIELDS = [
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

/** Reads the audit log, newest first. */
export const auditList: Command<AuditListOptions> = {
  name: "admin audit list",
  summary: "Read the audit log, newest first",
  description: "Each row holds a hash over itself and the one before; verify-audit on the server checks the chain.",
  prints: "list",
  fields: FIELDS,
  paged: true,
  needs: "admin",
  flags: [
    { name: "--action <name>", summary: "what was done" },
    { name: "--actor <id>", summary: "who did it" },
    { name: "--target <id>", summary: "what it was done to" },
    { name: "--organization <id>", summary: "where" },
    { name: "--last <time>", summary: "time up to now, in whole days (UTC), such as 7d", parse: parseDuration },
    { name: "--impersonated", summary: "only what admins did in the name of somebody else" },
    { name: "--from <date>", summary: "from this day on, in UTC", parse: parseDay },
    { name: "--to <date>", summary: "up to the end of this day", parse: parseDay },
  ],
  examples: [
    "feather admin audit list --action access.denied",
    "feather admin audit list --from 2026-11-01 --all --csv",
  ],
  options: (_, flags, now) => {
    const { actor, target, organization, from, last } = flags;
    if (last !== undefined && (from !== undefined || flags.to !== undefined))
      throw new UsageError(`--last and --${from === undefined ? "to" : "from"} exclude each other`);
    const firstDay = typeof last === "number" ? formatIsoDay(new Date(now.getTime() - last)) : from;
    return {
      ...optionalText("action", flags.action),
      ...(typeof actor === "string" && { actor_id: actor }),
      ...(typeof target === "string" && { target }),
      ...(typeof organization === "string" && { organization_id: organization }),
      ...(isSet(flags, "impersonated") && { impersonated: true }),
      ...(typeof firstDay === "string" && { from_date: firstDay }),
      ...(typeof flags.to === "string" && { to_date: flags.to }),
      paging: parsePaging(flags),
    };
  },
  async run({ client, now, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.audit({ ...query, ...page }, { signal }));
    const empty = "Nothing fits.";
    output.printList(
      { columns: columns(now()), id: ({ id }) => String(id), noun: "entries", empty },
      response.items,
      response,
    );
  },
};

function columns(now: Date): Column<AuditEntry>[] {
  return [
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
  ];
}

/** Returns the action; for a refused call with its operation and the reason. */
function describeAction({ action, details }: AuditEntry): string {
  const { operation, reason } = details;
  if (action !== "access.denied" || typeof operation !== "string" || typeof reason !== "string") return action;
  return `${action}: ${operation}, ${reason.replaceAll(/[._]/g, " ")}`;
}
