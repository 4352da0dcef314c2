import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { DAY_MS, HOUR_S } from "../../platform/core/time.ts";

/** How long accounts with an unconfirmed address are kept. Their links expire much earlier. */
const UNCONFIRMED_RETENTION_MS = 7 * DAY_MS;

/** Creates the clean-up of accounts whose address was never confirmed. Nobody could ever sign in to them. */
export function createUnconfirmedAccounts(db: Database, clock: Clock) {
  async function deleteAll(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await db.transaction().execute(async (trx) => {
      const unconfirmed = await trx
        .selectFrom("users")
        .select("id")
        .where("id", "in", ids)
        .where("awaiting_confirmation", "=", true)
        .forUpdate()
        .execute();
      const unconfirmedIds = unconfirmed.map(({ id }) => id);
      if (unconfirmedIds.length === 0) return;
      const organizations = trx
        .selectFrom("memberships")
        .select("organization_id")
        .where("user_id", "in", unconfirmedIds);
      await trx.deleteFrom("organizations").where("id", "in", organizations).execute();
      await trx.deleteFrom("users").where("id", "in", unconfirmedIds).execute();
    });
  }

  return {
    /** Deletes the unconfirmed account of an address, after somebody has proved that they own the address. */
    async releaseEmail(email: string): Promise<void> {
      const rows = await db
        .selectFrom("users")
        .select("id")
        .where("email_lower", "=", email.toLowerCase())
        .where("awaiting_confirmation", "=", true)
        .execute();
      await deleteAll(rows.map(({ id }) => id));
    },

    job: {
      name: "delete accounts that were never confirmed",
      everySeconds: HOUR_S,
      async run(): Promise<void> {
        const rows = await db
          .selectFrom("users")
          .select("id")
          .where("awaiting_confirmation", "=", true)
          .where("created_at", "<", new Date(clock.now().getTime() - UNCONFIRMED_RETENTION_MS))
          .limit(500)
          .execute();
        await deleteAll(rows.map(({ id }) => id));
      },
    },
  };
}

/** Deletes accounts that were never confirmed. */
export type UnconfirmedAccounts = ReturnType<typeof createUnconfirmedAccounts>;
