import { sql, type Updateable } from "kysely";
import type { Audit } from "../../../platform/core/audit.ts";
import type { SignedInActor } from "../../../platform/core/auth/actor.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Coupons } from "../../../platform/core/db/schema.generated.ts";
import { type AppError, errors } from "../../../platform/core/errors/index.ts";
import type { CouponRow } from "../../plans/index.ts";

/** The fields of a coupon that admins can change. */
export type CouponChange = {
  applies_to?: string[] | undefined;
  redeem_by_date?: string | null | undefined;
  max_redemptions?: number | null | undefined;
  is_retention?: boolean | undefined;
};
/** A coupon that an admin creates. */
export type NewCoupon = CouponChange & {
  code: string;
  duration: "once" | "repeating" | "forever";
  percent_off?: number | null | undefined;
  amount_off_cents?: number | null | undefined;
  months?: number | null | undefined;
};

type Deps = { db: Database; audit: Audit; clock: Clock };

/** Lists, creates, changes and ends coupons, for admins. */
export function createCouponAdministration(deps: Deps) {
  return bind(deps, {
    list: listCoupons,
    create: createCoupon,
    update: updateCoupon,
    end: endCoupon,
  });
}

async function refuseUnknownPlans(ids: readonly string[] | undefined, trx: Database): Promise<void> {
  if (!ids || ids.length === 0) return;
  const knownPlans = await trx.selectFrom("plans").select("id").where("id", "in", ids).execute();
  const unknownId = ids.find((id) => !knownPlans.some((plan) => plan.id === id));
  if (unknownId !== undefined)
    throw errors.invalidRequest(`applies_to is not valid: there is no plan ${unknownId}.`, { param: "applies_to" });
}

/** Unmarks the current retention coupon when another is to become it: there is at most one. */
async function clearRetentionCoupon(isRetention: boolean | undefined, trx: Database): Promise<void> {
  if (!isRetention) return;
  await sql`lock table coupons in share row exclusive mode`.execute(trx);
  await trx.updateTable("coupons").set({ is_retention: false }).where("is_retention", "=", true).execute();
}

function byCode(code: string) {
  return sql<boolean>`upper(code) = ${code.toUpperCase()}`;
}

function listCoupons({ db }: Deps): Promise<CouponRow[]> {
  return db.selectFrom("coupons").selectAll().orderBy("created_at", "desc").orderBy("code").execute();
}

async function createCoupon({ db, audit, clock }: Deps, actor: SignedInActor, coupon: NewCoupon): Promise<CouponRow> {
  refuseThousandths(coupon);
  return db.transaction().execute(async (trx) => {
    await refuseUnknownPlans(coupon.applies_to, trx);
    const existing = await trx.selectFrom("coupons").select("code").where(byCode(coupon.code)).executeTakeFirst();
    if (existing) throw couponCodeTaken();
    await clearRetentionCoupon(coupon.is_retention, trx);
    const row = await trx
      .insertInto("coupons")
      .values(Object.assign(toNewColumns(coupon), { created_at: clock.now() }))
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) throw couponCodeTaken();
    await audit.record({ actor, action: "coupons.create", target: row.code, details: { ...coupon } }, trx);
    return row;
  });
}

async function updateCoupon(
  { db, audit }: Deps,
  actor: SignedInActor,
  code: string,
  change: CouponChange,
): Promise<CouponRow> {
  return db.transaction().execute(async (trx) => {
    await refuseUnknownPlans(change.applies_to, trx);
    await clearRetentionCoupon(change.is_retention, trx);
    const before = await trx.selectFrom("coupons").selectAll().where(byCode(code)).forUpdate().executeTakeFirst();
    if (!before) throw errors.coupons.notFound();
    if (change.is_retention === true && before.ended_at !== null) throw errors.coupons.ended();
    if (typeof change.max_redemptions === "number" && change.max_redemptions < before.redemptions)
      throw errors.coupons.usedMoreOften({ count: before.redemptions }, { param: "max_redemptions" });
    if (Object.keys(change).length === 0) return before;
    const row = await trx
      .updateTable("coupons")
      .set(toColumns(change))
      .where("code", "=", before.code)
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit.record({ actor, action: "coupons.update", target: row.code, details: { ...change } }, trx);
    return row;
  });
}

/** Ends a coupon. Subscriptions that have it keep it. */
async function endCoupon({ db, audit, clock }: Deps, actor: SignedInActor, code: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("coupons")
      .set((eb) => ({ ended_at: eb.fn.coalesce("ended_at", eb.val(clock.now())) }))
      .where(byCode(code))
      .returning("code")
      .executeTakeFirst();
    if (!row) throw errors.coupons.notFound();
    await audit.record({ actor, action: "coupons.end", target: row.code }, trx);
  });
}

function toColumns({ redeem_by_date, ...change }: CouponChange): Updateable<Coupons> {
  return { ...change, ...(redeem_by_date !== undefined && { redeem_by_date: parseDate(redeem_by_date) }) };
}

function toNewColumns({ code, duration, percent_off, amount_off_cents, months, ...change }: NewCoupon) {
  return Object.assign(toColumns(change), {
    code,
    duration,
    percent_off: percent_off ?? null,
    amount_off_cents: amount_off_cents ?? null,
    months: months ?? null,
  });
}

const parseDate = (text: string | null | undefined) => (text ? new Date(text) : null);

/** Fractions such as 0.01 are not exact in binary, so the contract cannot say `multipleOf`. */
function refuseThousandths({ percent_off: percent = null }: NewCoupon): void {
  if (percent !== null && Math.abs(percent * 100 - Math.round(percent * 100)) > 1e-6)
    throw errors.invalidRequest("percent_off is not valid: it has at most two decimals.", { param: "percent_off" });
}

function couponCodeTaken(): AppError {
  return errors.coupons.codeTaken({ param: "code" });
}
