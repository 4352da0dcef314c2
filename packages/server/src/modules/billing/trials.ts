import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import { trialUsed } from "./billing.errors.ts";
import type { BillingRepository } from "./billing.repository.ts";

type Deps = { db: Database; billing: BillingRepository; clock: Clock; enabled: boolean };

/** Allows one trial per person, recognized by card and by normalized e-mail address. */
export function createTrials({ db, billing, clock, enabled }: Deps) {
  async function emailOf(userId: string, trx: Database): Promise<string | null> {
    const row = await trx
      .selectFrom("users")
      .select(["email_lower", "email_verified_at"])
      .where("id", "=", userId)
      .executeTakeFirst();
    return row && row.email_verified_at !== null ? emailFamily(row.email_lower) : null;
  }

  return {
    /** Whether this user and organization can have a trial. Without a saved card only the e-mail address is checked. */
    async eligible(userId: string, organizationId: string, trx: Database = db): Promise<boolean> {
      if (!enabled) return false;
      const family = await emailOf(userId, trx);
      if (family === null || (await billing.hasPaidBefore(organizationId, trx))) return false;
      const card = await billing.defaultCard(organizationId, trx);
      const used = await trx
        .selectFrom("trials")
        .select("subscription_id")
        .where((eb) => eb.or([eb("email_family", "=", family), eb("card_fingerprint", "=", card?.fingerprint ?? "")]))
        .limit(1)
        .executeTakeFirst();
      return used === undefined;
    },

    /** Whether any plan on sale offers a trial. */
    async offered(): Promise<boolean> {
      const row = await db
        .selectFrom("plans")
        .select("id")
        .where("is_public", "=", true)
        .where("trial_days", ">", 0)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Records that a person used their trial. Throws `subscription.trial_used`. */
    async begin(userId: string, subscriptionId: string, fingerprint: string, trx: Database): Promise<void> {
      const family = await emailOf(userId, trx);
      if (family === null) throw trialUsed();
      const first = await trx
        .insertInto("trials")
        .values({
          subscription_id: subscriptionId,
          card_fingerprint: fingerprint,
          email_family: family,
          started_at: clock.now(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (first.numInsertedOrUpdatedRows === 0n) throw trialUsed();
    },
  };
}

export type Trials = ReturnType<typeof createTrials>;

/** Domains that ignore dots in addresses. */
const DOTLESS = new Set(["gmail.com", "googlemail.com"]);

/** Normalizes an address by removing aliases: `ma.ria+news@googlemail.com` becomes `maria@gmail.com`. */
export function emailFamily(email: string): string {
  const at = email.lastIndexOf("@");
  const [name = ""] = email.slice(0, at).toLowerCase().split("+");
  const host = email.slice(at + 1).toLowerCase();
  return DOTLESS.has(host) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${host}`;
}
