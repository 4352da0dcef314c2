import type { Database } from "../../platform/core/db/connect.ts";

/** Returns whether two organizations have or had the same card; removed cards count. */
export async function hasCommonCard(
  organizationId: string,
  otherOrganizationId: string,
  trx: Database,
): Promise<boolean> {
  const row = await trx
    .selectFrom("payment_methods as a")
    .innerJoin("payment_methods as b", "b.fingerprint", "a.fingerprint")
    .select("a.id")
    .where("a.organization_id", "=", organizationId)
    .where("b.organization_id", "=", otherOrganizationId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
