import type { Database } from "../../db/connect.ts";

/**
 * Ends every permission that a user gave to applications, with the codes and tokens made from them: an application must
 * ask again. Returns the ids of these applications. Locks the rows in the order of their ids.
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
