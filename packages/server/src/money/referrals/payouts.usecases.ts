import { type SelectQueryBuilder, sql } from "kysely";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { DB } from "../../platform/core/db/schema.generated.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import type { Page } from "../../platform/core/http/pagination.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { formatNanoUsd } from "../../platform/core/money.ts";
import type { Ledger } from "../ledger/index.ts";
import type { RewardTerms } from "./rewards.usecases.ts";

type Deps = {
  db: Database;
  ledger: Ledger;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  terms: RewardTerms;
  /** True while the test driver is in use, so that no money moves. */
  isTest: boolean;
};
const MIN_PAYOUT_NANO_USD = 50_000_000_000n;

const commissionAccount = (organizationId: string) => `commission:${organizationId}` as const;

/** Lists rewards and payouts of referrals, and pays commission out. */
export function createPayouts(deps: Deps) {
  return {
    ...bind(deps, {
      payOut,
      listPayouts,
      listRewards,
      summary: summarizePayouts,
    }),
    isTest: deps.isTest,
  };
}

export type Payouts = ReturnType<typeof createPayouts>;

/** Locks and returns an organization's commission in nano-USD until `trx` ends. */
async function lockCommission(organizationId: string, trx: Database): Promise<bigint> {
  const row = await trx
    .selectFrom("ledger_accounts")
    .select("balance_nano_usd")
    .where("account", "=", commissionAccount(organizationId))
    .forUpdate()
    .executeTakeFirst();
  return BigInt(row?.balance_nano_usd ?? 0);
}

async function findByIdempotencyId(idempotencyId: string | undefined, trx: Database): Promise<bigint | null> {
  if (idempotencyId === undefined) return null;
  const row = await trx
    .selectFrom("referral_payouts")
    .select("amount_nano_usd")
    .where("idempotency_id", "=", idempotencyId)
    .executeTakeFirst();
  return row ? BigInt(row.amount_nano_usd) : null;
}

/**
 * Pays all commission out, once per idempotency key. Returns the amount in nano-USD. Throws
 * `referrals.payout_minimum`.
 */
async function payOut(
  { db, ledger, audit, clock, ids, isTest }: Deps,
  actor: SignedInActor,
  idempotencyId?: string,
): Promise<bigint> {
  const { organizationId, userId } = actor;
  return db.transaction().execute(async (trx) => {
    const amount = await lockCommission(organizationId, trx);
    const earlierAmount = await findByIdempotencyId(idempotencyId, trx);
    if (earlierAmount !== null) return earlierAmount;
    if (amount < MIN_PAYOUT_NANO_USD) throw belowPayoutMinimum(amount);
    const id = ids.next("pout");
    await trx
      .insertInto("referral_payouts")
      .values({
        id,
        organization_id: organizationId,
        user_id: userId,
        amount_nano_usd: String(amount),
        idempotency_id: idempotencyId ?? null,
        is_test: isTest,
        created_at: clock.now(),
      })
      .execute();
    await ledger.post(
      {
        kind: "payout",
        organizationId,
        description: isTest ? "TEST payout of commission" : "Payout of commission",
        reference: `payout:${id}`,
        entries: [
          { account: commissionAccount(organizationId), amountNano: -amount },
          { account: "payouts", amountNano: amount },
        ],
      },
      trx,
    );
    const details = { amount_nano_usd: String(amount) };
    await audit.record({ actor, action: "referral.payout", target: id, details }, trx);
    return amount;
  });
}

/** Returns the payouts to the organization, newest first. */
async function listPayouts({ db }: Deps, { organizationId }: SignedInActor, { limit, offset }: Page) {
  const all = db.selectFrom("referral_payouts").where("organization_id", "=", organizationId);
  const items = await all
    .select(["id", "amount_nano_usd", "is_test", "created_at"])
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
  return { items, total: await countRows(all) };
}

/** Returns the rewards for people whom the user referred, newest first. */
async function listRewards({ db }: Deps, { userId }: SignedInActor, { limit, offset }: Page) {
  const all = db
    .selectFrom("referral_rewards")
    .where("beneficiary_user_id", "=", userId)
    .where("referred_user_id", "<>", userId);
  const items = await all
    .select(["id", "method", "amount_nano_usd", "status", "created_at", "release_at", "settled_at"])
    .$narrowType<{ method: "credits" | "commission"; status: "held" | "released" | "reversed" }>()
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
  return { items, total: await countRows(all) };
}

async function summarizePayouts({ db, ledger, terms }: Deps, { userId, organizationId }: SignedInActor) {
  const { method, referred, paying } = await countReferrals(userId, db);
  const { earned, held } = await sumRewards(userId, db);
  const paidOut = await db
    .selectFrom("referral_payouts")
    .select((eb) => eb.fn.sum<string>("amount_nano_usd").as("sum"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  const referral = await db
    .selectFrom("referrals")
    .select("referred_user_id")
    .where("referred_user_id", "=", userId)
    .executeTakeFirst();
  const isCommission = method === "commission";
  return {
    referred: referral !== undefined,
    method: isCommission ? ("commission" as const) : ("credits" as const),
    referred_count: referred,
    paying_count: paying,
    earned_nano_usd: earned ?? "0",
    held_nano_usd: held ?? "0",
    available_nano_usd: String(await ledger.balance(commissionAccount(organizationId))),
    paid_out_nano_usd: paidOut?.sum ?? "0",
    percent: isCommission ? terms.percent : null,
    amount_nano_usd: isCommission ? null : String(terms.creditsNano),
  };
}

async function countRows<Table extends keyof DB>(rows: SelectQueryBuilder<DB, Table, object>): Promise<number> {
  const { count } = await rows.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return count;
}

async function countReferrals(userId: string, db: Database) {
  return db
    .selectFrom("users")
    .leftJoin("referrals", "referrals.referrer_user_id", "users.id")
    .select("users.referral_reward_method as method")
    .select((eb) => eb.fn.count<number>("referrals.referred_user_id").as("referred"))
    .select((eb) => eb.fn.count<number>("referrals.first_paid_at").as("paying"))
    .where("users.id", "=", userId)
    .groupBy("users.id")
    .executeTakeFirstOrThrow();
}

/** Sums the rewards for people whom the user referred, without the user's own reward for being referred. */
async function sumRewards(userId: string, db: Database) {
  return db
    .selectFrom("referral_rewards")
    .select(sql<string | null>`sum(amount_nano_usd)`.as("earned"))
    .select(sql<string | null>`sum(amount_nano_usd) filter (where status = 'held')`.as("held"))
    .where("beneficiary_user_id", "=", userId)
    .where("referred_user_id", "<>", userId)
    .where("status", "<>", "reversed")
    .executeTakeFirstOrThrow();
}

function belowPayoutMinimum(available: bigint): AppError {
  return errors.referrals.payoutMinimum(
    { minimum: formatNanoUsd(MIN_PAYOUT_NANO_USD), available: formatNanoUsd(available) },
    { details: { available_nano_usd: String(available), minimum_nano_usd: String(MIN_PAYOUT_NANO_USD) } },
  );
}
