import type { AuditEntry } from "@feather/sdk";
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
