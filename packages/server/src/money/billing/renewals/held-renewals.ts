import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { BillingRepository } from "../billing.repository.ts";

type Deps = { db: Database; billingRepository: BillingRepository; audit: Audit; clock: Clock };

/** Lists and resumes subscriptions that are held because they are more than one period behind. */
export function createHeldRenewals({ db, billingRepository, audit, clock }: Deps) {
  return {
    /** Returns up to 500 held subscriptions, the one held longest first. */
    list: () =>
      db
        .selectFrom("subscriptions")
        .innerJoin("organizations", "organizations.id", "subscriptions.organization_id")
        .select([
          "subscriptions.id",
          "organization_id",
          "organizations.name as organization_name",
          "plan_id",
          "quantity",
          "current_period_end_date",
          "held_at",
        ])
        .where("ended_at", "is", null)
        .where("held_at", "is not", null)
        .orderBy("held_at")
        .orderBy("subscriptions.id")
        .limit(500)
        .execute(),

    /** Resumes a subscription: its next period begins now. Missed periods are never charged. */
    async resume(actor: SignedInActor, id: string): Promise<void> {
      const row = await db
        .selectFrom("subscriptions")
        .select("organization_id")
        .where("id", "=", id)
        .where("ended_at", "is", null)
        .executeTakeFirst();
      if (!row) throw errors.subscription.notFound();
      await db.transaction().execute(async (trx) => {
        const { account, subscription } = await billingRepository.lockState(row.organization_id, trx);
        if (subscription?.row.id !== id || subscription.row.held_at === null) throw errors.subscription.notHeld();
        const now = clock.now();
        await billingRepository.updateSubscription(
          id,
          { held_at: null, anchor_date: now, period_index: -1, current_period_end_date: now },
          trx,
        );
        await billingRepository.bumpVersion(row.organization_id, account.balance_cents, trx);
        const details = { missed_since: subscription.row.current_period_end_date?.toISOString() };
        await audit.record({ actor, action: "subscriptions.resume_renewal", target: id, details }, trx);
      });
    },
  };
}

export type HeldRenewals = ReturnType<typeof createHeldRenewals>;
