import type { Database } from "../../platform/core/db/connect.ts";

/**
 * Deletes all grants of a user, and with them their codes and tokens. Returns the ids of the applications that had one.
 * Locks the rows in the order of their ids, so that two calls cannot deadlock.
 */
export async function deleteUserGrants(userId: string, trx: Database): Promise<string[]> {
  const grants = await trx
    .selectFrom("oauth_grants")
    .select(["id", "application_id"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .forUpdate()
    .execute();
  if (grants.length === 0) return [];
  await trx
    .deleteFrom("oauth_grants")
    .where(
      "id",
      "in",
      grants.map(({ id }) => id),
    )
    .execute();
  return [...new Set(grants.map(({ application_id }) => application_id))];
}
