import { type Selectable, sql } from "kysely";
import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { MarketplacePayouts } from "../../../platform/core/db/schema.generated.ts";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Page } from "../../../platform/core/http/pagination.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import { centsToNano, formatNanoUsd } from "../../../platform/core/money.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import { MARKETPLACE_NAMES, type MarketplaceProvider } from "../../billing/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { receivable } from "../metering/metering-postings.ts";
import { toPayoutPosting } from "./payout-posting.ts";

type Deps = {
  db: Database;
  ledger: Ledger;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  /** Whether the marketplaces are tests, so that no money moves. */
  isTest: boolean;
};

/** A row of the table of payouts of marketplaces. */
export type PayoutRow = Selectable<MarketplacePayouts>;
/** What an admin says about a payout. */
export type PayoutValues = Pick<PayoutRow, "reference" | "paid_on" | "amount_cents" | "fee_cents"> & {
  provider: MarketplaceProvider;
};
/** What a marketplace owes, in nano-USD: `waiting` is drawn, and neither accepted nor refused yet. */
export type MarketplaceBalance = {
  provider: string;
  accepted: string;
  paid: string;
  fee: string;
  open: string;
  waiting: string;
};

/** Records what marketplaces paid for metered usage. */
export function createPayouts(deps: Deps) {
  return bind(deps, { list: listPayouts, record: recordPayout, reverse: reversePayout });
}
export type PayoutUseCases = ReturnType<typeof createPayouts>;

async function listPayouts(
  { db, isTest }: Deps,
  provider: MarketplaceProvider | undefined,
  { limit, offset }: Page,
): Promise<{ balances: MarketplaceBalance[]; rows: PayoutRow[]; total: number }> {
  let all = db.selectFrom("marketplace_payouts").where("is_test", "=", isTest);
  if (provider !== undefined) all = all.where("provider", "=", provider);
  const [balances, rows, { total }] = await Promise.all([
    readBalances(isTest, db),
    all.selectAll().orderBy("paid_on", "desc").orderBy("id").limit(limit).offset(offset).execute(),
    all.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
  ]);
  return { balances, rows, total };
}

/** Returns what the marketplaces owe at which usage was metered. What is accepted stays so. */
async function readBalances(isTest: boolean, trx: Database): Promise<MarketplaceBalance[]> {
  const { rows } = await sql<MarketplaceBalance>`
    with used as (
      select provider, coalesce(sum(units * unit_price_nano_usd) filter (where status = 'accepted'), 0) as accepted,
        coalesce(sum(units * unit_price_nano_usd) filter (where status in ('open', 'due', 'sent')), 0) as waiting
      from metered_usage where is_test = ${isTest} group by provider
    ), paid as (
      select provider, sum(amount_cents) * 10000000 as amount, sum(fee_cents) * 10000000 as fee
      from marketplace_payouts where is_test = ${isTest} and reversed_at is null group by provider
    )
    select provider, accepted::text, waiting::text, coalesce(amount, 0)::text as paid, coalesce(fee, 0)::text as fee,
      (accepted - coalesce(amount, 0) - coalesce(fee, 0))::text as open
    from used left join paid using (provider) order by provider`.execute(trx);
  return rows;
}

/**
 * Posts a payout, once for its reference. Throws `invalid_request` for a day to come or without an amount,
 * `marketplace.payout_differs` and `marketplace.payout_too_high`.
 */
async function recordPayout(deps: Deps, actor: SignedInActor, values: PayoutValues): Promise<PayoutRow> {
  const { db, ledger, audit, clock, ids, isTest } = deps;
  assertPayout(values, clock.now());
  return db.transaction().execute(async (trx) => {
    await lockReceivable(values.provider, trx);
    const earlier = await findRecorded(deps, values, trx);
    if (earlier) return earlier;
    await assertOpen(deps, values, trx);
    const row = await trx
      .insertInto("marketplace_payouts")
      .values({ id: ids.next("mpo"), ...values, is_test: isTest, created_at: clock.now() })
      .returningAll()
      .executeTakeFirstOrThrow();
    await ledger.post(toPayoutPosting(row, "payout"), trx);
    await audit.record({ actor, action: "marketplace.record_payout", target: row.id, details: values }, trx);
    return row;
  });
}

/** Recordings and reversals at a marketplace follow each other. Without that account, nothing is owed. */
async function lockReceivable(provider: string, trx: Database): Promise<void> {
  await trx
    .selectFrom("ledger_accounts")
    .select("account")
    .where("account", "=", receivable(provider))
    .forUpdate()
    .execute();
}

function assertPayout({ paid_on, amount_cents, fee_cents }: PayoutValues, now: Date): void {
  // Where the day is a day ahead of UTC, it may be tomorrow's.
  if (paid_on > new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10))
    throw errors.invalidRequest("paid_on must not be a day to come.", { param: "paid_on" });
  if (amount_cents + fee_cents === 0)
    throw errors.invalidRequest("amount_usd_cents and fee_usd_cents must not both be 0.", {
      param: "amount_usd_cents",
    });
}

async function findRecorded({ isTest }: Deps, values: PayoutValues, trx: Database): Promise<PayoutRow | undefined> {
  const row = await trx
    .selectFrom("marketplace_payouts")
    .selectAll()
    .where("provider", "=", values.provider)
    .where("reference", "=", values.reference)
    .where("is_test", "=", isTest)
    .where("reversed_at", "is", null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { paid_on, amount_cents, fee_cents } = values;
  if (row.paid_on === paid_on && row.amount_cents === amount_cents && row.fee_cents === fee_cents) return row;
  throw errors.marketplace.payoutDiffers({ reference: values.reference });
}

async function assertOpen({ isTest }: Deps, values: PayoutValues, trx: Database): Promise<void> {
  const { provider, amount_cents, fee_cents } = values;
  const balance = (await readBalances(isTest, trx)).find((one) => one.provider === provider);
  const openNano = BigInt(balance?.open ?? 0);
  const amountNano = centsToNano(amount_cents + fee_cents);
  if (amountNano <= openNano) return;
  const marketplace = MARKETPLACE_NAMES[provider];
  const [open, amount] = [openNano, amountNano].map((nano) => `$${formatNanoUsd(nano)}`);
  throw errors.marketplace.payoutTooHigh({ marketplace, open: open ?? "", amount: amount ?? "" });
}

/** Posts a payout the other way round, once. Throws `marketplace.payout_not_found`. */
async function reversePayout(
  { db, ledger, audit, clock }: Deps,
  actor: SignedInActor,
  id: string,
  reason: string,
): Promise<PayoutRow> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("marketplace_payouts")
      .set({ reversed_at: clock.now(), reversal_reason: reason })
      .where("id", "=", id)
      .where("reversed_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (!row) return findPayout(id, trx);
    await ledger.post(toPayoutPosting(row, "reversal"), trx);
    await audit.record({ actor, action: "marketplace.reverse_payout", target: id, details: { reason } }, trx);
    return row;
  });
}

async function findPayout(id: string, trx: Database): Promise<PayoutRow> {
  const row = await trx.selectFrom("marketplace_payouts").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw errors.marketplace.payoutNotFound();
  return row;
}
