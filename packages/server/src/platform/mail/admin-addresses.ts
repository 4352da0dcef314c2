import type { Database } from "../core/db/connect.ts";

/** Returns the e-mail addresses of an organization's admins who are not suspended. */
export async function listAdminAddresses(organizationId: string, trx: Database): Promise<string[]> {
  const admins = await trx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select("users.email")
    .where("organization_id", "=", organizationId)
    .where("role", "=", "admin")
    .where("suspended_at", "is", null)
    .orderBy("users.id")
    .execute();
  return admins.map(({ email }) => email);
}
