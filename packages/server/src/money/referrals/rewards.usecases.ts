import type { Selectable } from "kysely";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { lockOrganizationsForKeyShare } from "../../platform/core/db/locks.ts";
import type { ReferralRewards } from "../../platform/core/db/schema.generated.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Job } from "../../platform/core/jobs.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import type { InvoiceHooks, InvoiceRow } from "../billing/index.ts";
import { type Credits, lockCredits } from "../credits/index.ts";
import { toNano } from "../currencies/index.ts";
import type { Ledger } from "../ledger/index.ts";
import { addIntervals } from "../quotes/index.ts";
import { hasCommonCard } from "./common-card.ts";

/** The rewards of a referral. */
export type RewardTerms = {
  /** Credits in nano-USD for referrer and referred after the first payment of the referred. */
  creditsNano: bigint;
  /** The percentage of payments that affiliates earn. */
  percent: number;
};
type Deps = { db: Database; ledger: Ledger; credits: Credits; clock: Clock; ids: Ids; terms: RewardTerms };
type RewardRow = Selectable<ReferralRewards>;
type RewardMethod = "credits" | "commission";
type Reward = {
  method: RewardMethod;
  referredUserId: string;
  userId: string;
  organizationId: string;
  amountNano: bigint;
};

const COMMISSION_MONTHS = 12;
/** How long commission is held before it is released: the usual time for disputes. */
const COMMISSION_HOLD_MS = 30 * DAY_MS;

/**
 * Rewards referrers when invoices are paid. Credits are granted at once, commission is held first. Refunds reverse
 * both.
 */
export function createRewards(deps: Deps) {
  return {
    invoiceHooks: createInvoiceHooks(deps),
    job: createJob(deps),
  };
}

async function lockReferral(organizationId: string, trx: Database) {
  return trx
    .selectFrom("referrals")
    .innerJoin("users", "users.id", "referrals.referrer_user_id")
    .selectAll("referrals")
    .select("users.referral_reward_method as method")
    .where("referred_organization_id", "=", organizationId)
    .forUpdate("referrals")
    .executeTakeFirst();
}

async function createReward(deps: Deps, reward: Reward, invoice: InvoiceRow, trx: Database): Promise<void> {
  const { credits, clock, ids } = deps;
  if (reward.amountNano <= 0n || !(await lockExistingOrganization(reward.organizationId, trx))) return;
  const now = clock.now();
  const isHeld = reward.method === "commission";
  const row = await trx
    .insertInto("referral_rewards")
    .values({
      id: ids.next("rwd"),
      referred_user_id: reward.referredUserId,
      beneficiary_user_id: reward.userId,
      organization_id: reward.organizationId,
      method: reward.method,
      invoice_id: invoice.id,
      amount_nano_usd: String(reward.amountNano),
      original_nano_usd: String(reward.amountNano),
      status: isHeld ? "held" : "released",
      created_at: now,
      release_at: isHeld ? new Date(now.getTime() + COMMISSION_HOLD_MS) : now,
      settled_at: isHeld ? null : now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!row || isHeld) return;
  const grant = { kind: "reward", description: "Referral", reference: `reward:${row.id}` } as const;
  await credits.grant(reward.organizationId, reward.amountNano, grant, trx);
}

/** Returns the commission on an invoice without tax, in nano-USD at the rate of the invoice. */
function calculateCommissionNano(deps: Deps, invoice: InvoiceRow): bigint {
  const { terms } = deps;
  const basisPoints = BigInt(Math.round(terms.percent * 100));
  return (toNano(invoice.total_cents - invoice.tax_cents, invoice) * basisPoints) / 10_000n;
}

/** Reverses `amountNano` of a reward: credits as far as they are available, commission even below zero. */
async function reverseReward(
  deps: Deps,
  reward: RewardRow,
  amountNano: bigint,
  referenceSuffix: string,
  trx: Database,
): Promise<void> {
  const { ledger, credits } = deps;
  const reference = `reward:${reward.id}:reversal:${referenceSuffix}`;
  const description = "Referral taken back";
  if (reward.method === "credits") {
    const { available } = await lockCredits(reward.organization_id, trx);
    const revokedNano = available < amountNano ? available : amountNano;
    const grant = { kind: "reward", description, reference } as const;
    if (revokedNano > 0n) await credits.grant(reward.organization_id, -revokedNano, grant, trx);
    return;
  }
  const organizationExists = await lockExistingOrganization(reward.organization_id, trx);
  await ledger.post(
    {
      kind: "commission",
      organizationId: reward.organization_id,
      description,
      reference,
      entries: [
        {
          account: organizationExists ? `commission:${reward.organization_id}` : "forfeited",
          amountNano: -amountNano,
        },
        { account: "rewards", amountNano },
      ],
    },
    trx,
  );
}

/** Reduces a reward after a refund: commission in proportion, credits only when the invoice is refunded in full. */
async function reduceReward(
  deps: Deps,
  reward: RewardRow,
  { total_cents, refunded_cents }: InvoiceRow,
  trx: Database,
): Promise<void> {
  const { clock } = deps;
  const remainingCents = BigInt(total_cents - refunded_cents);
  if (reward.method === "credits" && remainingCents > 0n) return;
  const amountBefore = BigInt(reward.amount_nano_usd);
  const amountAfter = (BigInt(reward.original_nano_usd) * remainingCents) / BigInt(total_cents);
  if (reward.status === "released")
    await reverseReward(deps, reward, amountBefore - amountAfter, String(refunded_cents), trx);
  await trx
    .updateTable("referral_rewards")
    .set(amountAfter > 0n ? { amount_nano_usd: String(amountAfter) } : { status: "reversed", settled_at: clock.now() })
    .where("id", "=", reward.id)
    .execute();
}

function createInvoiceHooks(deps: Deps): InvoiceHooks {
  const { clock, terms } = deps;
  return {
    async affectedOrganizations({ id, organization_id }, trx) {
      const referrals = trx
        .selectFrom("referrals")
        .select("referrer_organization_id as organization_id")
        .where("referred_organization_id", "=", organization_id);
      const rewards = trx.selectFrom("referral_rewards").select("organization_id").where("invoice_id", "=", id);
      return (await referrals.union(rewards).execute()).map((row) => row.organization_id);
    },

    async onPaid(invoice, trx) {
      if (invoice.total_cents === 0) return;
      const referral = await lockReferral(invoice.organization_id, trx);
      if (!referral) return;
      const { referrer_organization_id, referred_user_id, referrer_user_id } = referral;
      // A shared card reveals a second account of the same person. It may be added long after the code was used.
      if (await hasCommonCard(invoice.organization_id, referrer_organization_id, trx)) return;
      const isFirst = referral.first_paid_at === null;
      const firstPaidAt = referral.first_paid_at ?? clock.now();
      if (isFirst)
        await trx
          .updateTable("referrals")
          .set({ first_paid_at: firstPaidAt })
          .where("referred_user_id", "=", referred_user_id)
          .execute();
      const forReferrer = {
        referredUserId: referred_user_id,
        userId: referrer_user_id,
        organizationId: referrer_organization_id,
      };
      if (referral.method === "commission") {
        // The period of the invoice counts, so that an invoice created late after a downtime still earns commission.
        if ((invoice.period_start_date ?? clock.now()) < addIntervals(firstPaidAt, "month", COMMISSION_MONTHS))
          await createReward(
            deps,
            { ...forReferrer, method: "commission", amountNano: calculateCommissionNano(deps, invoice) },
            invoice,
            trx,
          );
        return;
      }
      if (!isFirst) return;
      const reward = { method: "credits", amountNano: terms.creditsNano } as const;
      const forReferred = { ...forReferrer, userId: referred_user_id, organizationId: invoice.organization_id };
      await createReward(deps, { ...forReferrer, ...reward }, invoice, trx);
      await createReward(deps, { ...forReferred, ...reward }, invoice, trx);
    },

    async onRefunded(invoice, trx) {
      const rewards = await trx
        .selectFrom("referral_rewards")
        .selectAll()
        .where("invoice_id", "=", invoice.id)
        .where("status", "<>", "reversed")
        .orderBy("organization_id")
        .forUpdate()
        .execute();
      for (const reward of rewards) await reduceReward(deps, reward, invoice, trx);
    },
  };
}

async function releaseReward(deps: Deps, reward: RewardRow, organizationExists: boolean, trx: Database): Promise<void> {
  const { ledger, clock } = deps;
  if (organizationExists)
    await ledger.post(
      {
        kind: "commission",
        organizationId: reward.organization_id,
        description: "Commission",
        reference: `reward:${reward.id}`,
        entries: [
          { account: `commission:${reward.organization_id}`, amountNano: BigInt(reward.amount_nano_usd) },
          { account: "rewards", amountNano: -BigInt(reward.amount_nano_usd) },
        ],
      },
      trx,
    );
  await trx
    .updateTable("referral_rewards")
    .set({ status: organizationExists ? "released" : "reversed", settled_at: clock.now() })
    .where("id", "=", reward.id)
    .execute();
}

/** Releases the next reward that is due. Returns whether there was one. Locks its organization first, then the reward. */
async function releaseNext(deps: Deps): Promise<boolean> {
  const { db, clock } = deps;
  return db.transaction().execute(async (trx) => {
    const due = await trx
      .selectFrom("referral_rewards")
      .select(["id", "organization_id"])
      .where("status", "=", "held")
      .where("release_at", "<=", clock.now())
      .orderBy("release_at")
      .limit(1)
      .executeTakeFirst();
    if (due === undefined) return false;
    const organizationExists = await lockExistingOrganization(due.organization_id, trx);
    const reward = await trx
      .selectFrom("referral_rewards")
      .selectAll()
      .where("id", "=", due.id)
      .where("status", "=", "held") // another process may have released it meanwhile
      .forUpdate()
      .executeTakeFirst();
    if (reward) await releaseReward(deps, reward, organizationExists, trx);
    return true;
  });
}

function createJob(deps: Deps): Job {
  return {
    name: "release commission",
    everySeconds: 600,
    run: async () => {
      while (await releaseNext(deps));
    },
  };
}

/** Returns whether the organization exists; if so, it cannot be deleted until `trx` ends. */
async function lockExistingOrganization(id: string, trx: Database): Promise<boolean> {
  return (await lockOrganizationsForKeyShare([id], trx)).length > 0;
}
