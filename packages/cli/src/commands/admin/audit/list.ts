import type { Query } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { isSet } from "../../../flags.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";
import { AUDIT_FIELDS, auditTable } from "../../../views/audit-entries.ts";
import { AUDIT_FLAGS, parseAuditFilters } from "../../audit-filters.ts";

/** Filters and paging of `admin audit list`. */
export type AuditListOptions = Query<"admin.audit"> & { readonly paging: Paging };

/** Reads the audit log, newest first. */
export const auditList: Command<AuditListOptions> = {
  name: "admin audit list",
  summary: "Read the audit log, newest first",
  description: "Each row holds a hash over itself and the one before; verify-audit on the server checks the chain.",
  prints: "list",
  fields: AUDIT_FIELDS,
  paged: true,
  needs: "admin",
  flags: [
    ...AUDIT_FLAGS,
    { name: "--organization <id>", summary: "where" },
    { name: "--impersonated", summary: "only what admins did in the name of somebody else" },
  ],
  examples: [
    "feather admin audit list --action access.denied",
    "feather admin audit list --from 2026-11-01 --all --csv",
  ],
  options: (_, flags, now) => ({
    ...parseAuditFilters(flags, now),
    ...(typeof flags.organization === "string" && { organization_id: flags.organization }),
    ...(isSet(flags, "impersonated") && { impersonated: true }),
    paging: parsePaging(flags),
  }),
  async run({ client, now, output, signal }, { paging, ...query }) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.audit({ ...query, ...page }, { signal }));
    output.printList(auditTable(now()), response.items, response);
  },
};
