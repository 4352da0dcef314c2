import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { BillingRepository } from "../billing.repository.ts";

type Deps = { db: Database; billingRepository: BillingRepository; clock: Clock; isEnabled: boolean };

/** Allows one trial per person, recognized by card and by normalized e-mail address. */
export function createTrials({ db, billingRepository, clock, isEnabled }: Deps) {
  async function findVerifiedEmailFamily(userId: string, trx: Database): Promise<string | null> {
    const row = await trx
      .selectFrom("users")
      .select(["email_lower", "email_verified_at"])
      .where("id", "=", userId)
      .executeTakeFirst();
    return row && row.email_verified_at !== null ? normalizeEmail(row.email_lower) : null;
  }

  return {
    /**
     * Returns whether this user and organization can have a trial. Without a saved card only the e-mail address is checked.
     */
    async isEligible(userId: string, organizationId: string, trx: Database = db): Promise<boolean> {
      if (!isEnabled) return false;
      const emailFamily = await findVerifiedEmailFamily(userId, trx);
      if (emailFamily === null || (await billingRepository.hasPaidBefore(organizationId, trx))) return false;
      const card = await billingRepository.findDefaultCard(organizationId, trx);
      const used = await trx
        .selectFrom("trials")
        .select("subscription_id")
        .where((eb) =>
          eb.or([eb("email_family", "=", emailFamily), eb("card_fingerprint", "=", card?.fingerprint ?? "")]),
        )
        .limit(1)
        .executeTakeFirst();
      return used === undefined;
    },

    /** Returns whether any plan on sale offers a trial. */
    async isOffered(): Promise<boolean> {
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
    async recordTrial(userId: string, subscriptionId: string, fingerprint: string, trx: Database): Promise<void> {
      const emailFamily = await findVerifiedEmailFamily(userId, trx);
      if (emailFamily === null) throw errors.subscription.trialUsed();
      const inserted = await trx
        .insertInto("trials")
        .values({
          subscription_id: subscriptionId,
          card_fingerprint: fingerprint,
          email_family: emailFamily,
          started_at: clock.now(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (inserted.numInsertedOrUpdatedRows === 0n) throw errors.subscription.trialUsed();
    },
  };
}

export type Trials = ReturnType<typeof createTrials>;

/** Domains that ignore dots in addresses. */
const DOT_INSENSITIVE_DOMAINS = new Set(["gmail.com", "googlemail.com"]);

/** Normalizes an address by removing aliases: `ma.ria+news@googlemail.com` becomes `maria@gmail.com`. */
export function normalizeEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [name = ""] = email.slice(0, at).toLowerCase().split("+");
  const host = email.slice(at + 1).toLowerCase();
  return DOT_INSENSITIVE_DOMAINS.has(host) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${host}`;
}
