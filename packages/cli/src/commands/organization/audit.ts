import type { Query } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";
import { AUDIT_FIELDS, auditTable } from "../../views/audit-entries.ts";
import { AUDIT_FLAGS, parseAuditFilters } from "../audit-filters.ts";

/** Reads the audit log of the organization, newest first. */
export const organizationAudit: Command<Query<"organization.audit"> & { readonly paging: Paging }> = {
  name: "organization audit",
  summary: "Read what was done in your organization, newest first",
  description: "For admins of the organization.",
  prints: "list",
  fields: AUDIT_FIELDS,
  paged: true,
  needs: "sign-in",
  flags: AUDIT_FLAGS,
  examples: ["feather organization audit --last 7d", "feather organization audit --action api_keys --all --csv"],
  options: (_, flags, now) => ({ ...parseAuditFilters(flags, now), paging: parsePaging(flags) }),
  async run({ client, now, output, signal }, { paging, ...query }) {
    const { organization } = await client();
    const response = await readPages(paging, (page) => organization.audit({ ...query, ...page }, { signal }));
    output.printList(auditTable(now()), response.items, response);
  },
};
