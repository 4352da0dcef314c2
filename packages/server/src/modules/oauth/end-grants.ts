import type { Database } from "../../db/connect.ts";

/**
 * Deletes all grants of a user, and with them their codes and tokens. Returns the ids of the applications that had one.
 * Locks the rows in the order of their ids, so that two calls cannot deadlock.
 */
export async function endGrantsOfUser(userId: string, trx: Database): Promise<string[]> {
  const held = await trx
    .selectFrom("oauth_grants")
    .select(["id", "application_id"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .forUpdate()
    .execute();
  if (held.length === 0) return [];
  await trx
    .deleteFrom("oauth_grants")
    .where(
      "id",
      "in",
      held.map(({ id }) => id),
    )
    .execute();
  return [...new Set(held.map(({ application_id }) => application_id))];
}
