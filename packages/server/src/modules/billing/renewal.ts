import type { BillingRepository, Standing } from "./billing.repository.ts";
import { reductionOn, runningOf } from "./billing.repository.ts";
import { type Bill, isSpent, listCents, nextPeriod, periodBill, type Terms, type Wanted } from "./quote.ts";
import { termsFrom } from "./terms.ts";

const DAY = 86_400_000;
/** Days after an invoice at which a declined card is tried again. After the last one the subscription ends. */
const RETRY_DAYS = [1, 3, 5, 7] as const;

export type Renewal =
  | { kind: "not due" }
  | { kind: "end" }
  | { kind: "renew"; wanted: Wanted; terms: Terms; bill: Bill; couponSpent: boolean };

type Next = Awaited<ReturnType<BillingRepository["plan"]>>;

/** What happens to a subscription when its period is over. `pending` is the plan it changes to, where one waits. */
export function renewalOf({ account, live }: Standing, pending: Next, now: Date, taxPercent: number): Renewal {
  const running = runningOf(live);
  if (!live || !running || live.row.current_period_end_date === null || running.periodEnd > now)
    return { kind: "not due" };
  // While an invoice is open nothing new begins: it is paid, or the subscription ends with it.
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
 * When an invoice is tried again after so many attempts; null when it was the last. Attempts that were missed do not
 * follow each other at once, so that the buyer has time to look after their card.
 */
export function nextAttempt(attempts: number, createdAt: Date, now: Date): Date | null {
  const days = RETRY_DAYS[attempts - 1];
  if (days === undefined) return null;
  const planned = new Date(createdAt.getTime() + days * DAY);
  const gap = days - (RETRY_DAYS[attempts - 2] ?? 0);
  return planned > now ? planned : new Date(now.getTime() + gap * DAY);
}

/** Credits that come with a period of a metered plan. */
export function creditsOf(wanted: Wanted): number {
  return wanted.metered ? listCents(wanted) : 0;
}

/** A coupon that would give nothing to the period after this one. */
function isOver(endsAt: Date | null | undefined, periodEnd: Date): boolean {
  return endsAt !== null && endsAt !== undefined && endsAt <= periodEnd;
}
