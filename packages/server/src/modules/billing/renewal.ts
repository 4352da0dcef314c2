import type { BillingRepository, Standing } from "./billing.repository.ts";
import { reductionOn, runningOf } from "./billing.repository.ts";
import { type Bill, isSpent, listCents, nextPeriod, periodBill, type Terms, type Wanted } from "./quote.ts";
import { termsFrom } from "./terms.ts";

const DAY = 86_400_000;
/** Days after the invoice on which a declined card is charged again. After the last attempt the subscription ends. */
const RETRY_DAYS = [1, 3, 5, 7] as const;

/** What the renewal job does with a subscription. */
export type Renewal =
  | { kind: "not due" }
  | { kind: "end" }
  | { kind: "renew"; wanted: Wanted; terms: Terms; bill: Bill; couponSpent: boolean };

type Next = Awaited<ReturnType<BillingRepository["findPlan"]>>;

/**
 * Decides what happens to a subscription at the end of its period. `pendingPlan` is the plan that it is scheduled to
 * change to.
 */
export function renewalOf({ account, live }: Standing, pending: Next, now: Date, taxPercent: number): Renewal {
  const running = runningOf(live);
  if (!live || !running || live.row.current_period_end_date === null || running.periodEnd > now)
    return { kind: "not due" };
  // A past due subscription is not renewed until its open invoice is paid; if it never is, the subscription ends.
  if (live.row.status === "past_due") return { kind: "not due" };
  if (live.row.cancel_at_period_end) return { kind: "end" };
  const wanted = termsFrom(live, pending, running.periodEnd);
  const before: Terms = {
    anchor: running.anchor,
    periodIndex: running.periodIndex,
    period: { start: running.periodStart, end: running.periodEnd },
    trialEnd: null,
  };
  const period = nextPeriod(wanted, running, before);
  const anew = wanted.interval !== running.interval;
  const coupon = reductionOn(live);
  const bill = periodBill(wanted, period, coupon, account.balance_cents, taxPercent);
  const terms = anew
    ? { anchor: period.start, periodIndex: 0, period, trialEnd: null }
    : { anchor: running.anchor, periodIndex: running.periodIndex + 1, period, trialEnd: null };
  return {
    kind: "renew",
    wanted,
    terms,
    bill,
    couponSpent: isSpent(coupon, bill) || isOver(coupon?.endsAt, period.end),
  };
}

/**
 * The date of the next attempt to collect an invoice after `attempts` attempts; null after the last one. Missed
 * attempts keep their distance in days, so that the buyer has time to replace the card.
 */
export function nextAttempt(attempts: number, createdAt: Date, now: Date): Date | null {
  const days = RETRY_DAYS[attempts - 1];
  if (days === undefined) return null;
  const planned = new Date(createdAt.getTime() + days * DAY);
  const gap = days - (RETRY_DAYS[attempts - 2] ?? 0);
  return planned > now ? planned : new Date(now.getTime() + gap * DAY);
}

/** The credits that a period of a plan includes, in cents; 0 unless the plan is metered. */
export function creditsOf(wanted: Wanted): number {
  return wanted.metered ? listCents(wanted) : 0;
}

/** Whether a coupon has ended by the end of this period. */
function isOver(endsAt: Date | null | undefined, periodEnd: Date): boolean {
  return endsAt !== null && endsAt !== undefined && endsAt <= periodEnd;
}
