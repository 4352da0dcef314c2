import { addIntervals, hoursBetween, type Interval, type Period, periodAt, share } from "./periods.ts";

/**
 * A plan with quantity, price and interval. The price of a `metered` plan buys credits, so its unused time has no
 * value. Stored as JSON with payments: keep the names of the fields.
 */
export type Wanted = {
  planId: string;
  name: string;
  quantity: number;
  priceCents: number;
  interval: Interval;
  metered: boolean;
  trialDays: number;
};

/** A paid or trialing subscription. `valueCents` was paid for the time from `valueFrom` to the end of the period. */
export type Running = Wanted & {
  anchor: Date;
  periodIndex: number;
  periodStart: Date;
  periodEnd: Date;
  valueCents: number;
  valueFrom: Date;
  trialing: boolean;
};

/** A coupon as it applies to invoices: a percentage or an amount in cents. */
export type Reduction = {
  code: string;
  percentOff: number | null;
  amountOffCents: number | null;
  duration: "once" | "repeating" | "forever";
  appliesTo: readonly string[];
  /** When a repeating discount ends. */
  endsAt: Date | null;
};

/** A line of an invoice. Stored as JSON: keep the names of the fields. */
export type Line = { description: string; amount_cents: number };

/**
 * An invoice before it has a number. `carriedCents` goes to the account's balance, or comes from it when below zero.
 * Stored as JSON with payments: keep the names of the fields.
 */
export type Bill = {
  lines: Line[];
  subtotalCents: number;
  discountCents: number;
  taxCents: number;
  totalCents: number;
  carriedCents: number;
  /** What the time on the invoice is worth: the base of the credit when it is not used up. */
  valueCents: number;
};

/** A billing period with the anchor it is counted from. */
export type Terms = { anchor: Date; periodIndex: number; period: Period; trialEnd: Date | null };

/** What a change of plan costs, and when it takes effect. */
export type Quote = {
  timing: "now" | "period_end";
  bill: Bill;
  prorationCents: number;
  terms: Terms;
  next: { totalCents: number; date: Date };
  /** Whether this invoice used the coupon up. */
  couponSpent: boolean;
};

/** The input of a quote. */
export type Request = {
  now: Date;
  running: Running | null;
  wanted: Wanted;
  coupon: Reduction | null;
  /** Whether the coupon is new with this change; otherwise it is on the subscription already. */
  couponIsNew: boolean;
  balanceCents: number;
  trial: boolean;
  taxPercent: number;
};

const DAY = 86_400_000;
const NOTHING: Bill = {
  lines: [],
  subtotalCents: 0,
  discountCents: 0,
  taxCents: 0,
  totalCents: 0,
  carriedCents: 0,
  valueCents: 0,
};

/** The price of one interval without discount and tax, in cents. */
export function listCents({ priceCents, quantity }: Pick<Wanted, "priceCents" | "quantity">): number {
  return priceCents * quantity;
}

/** Changes that cost at least as much per year take effect now; cheaper ones at the end of the period. */
export function timingOf(running: Running | null, wanted: Wanted): Quote["timing"] {
  if (running === null || running.trialing) return "now";
  return perYear(wanted) >= perYear(running) ? "now" : "period_end";
}

/** Quotes a change of plan: what is due now, and what the next invoice will be. */
export function quote(request: Request): Quote {
  const { running, wanted } = request;
  if (running && (isSame(running, wanted) || timingOf(running, wanted) === "period_end"))
    return later(request, running);
  if (running?.trialing) return withinTrial(request, running);
  if (running === null && request.trial && wanted.trialDays > 0) return beginTrial(request);
  const samePeriod = running !== null && running.interval === wanted.interval && !running.metered && !wanted.metered;
  return samePeriod ? prorated(request, running) : fromNow(request, running);
}

/** Drafts the invoice of one whole period. */
export function periodBill(
  wanted: Wanted,
  { start, end }: Period,
  coupon: Reduction | null,
  balanceCents: number,
  taxPercent: number,
): Bill {
  const amount = listCents(wanted);
  const line = { description: `${label(wanted)}, ${days(start, end)}`, amount_cents: amount };
  const off = coupon && applies(coupon, wanted.planId, start) ? reductionOf(coupon, amount) : 0;
  return draftInvoice([line], off, amount - off, balanceCents, taxPercent);
}

/** Drafts an invoice of one item that has neither period nor coupon. */
export function plainBill(description: string, cents: number, taxPercent: number): Bill {
  return draftInvoice([{ description, amount_cents: cents }], 0, 0, 0, taxPercent);
}

/** Drafts an invoice with nothing to pay, which credits the unused time of a plan to the account's balance. */
export function creditNote(running: Running, unusedCents: number): Bill {
  return draftInvoice(unusedLine(running, unusedCents), 0, 0, 0, 0);
}

/** Whether an invoice uses a coupon up: it is for one invoice, and this one is reduced by it. */
export function isSpent(coupon: Reduction | null, { discountCents }: Bill): boolean {
  return coupon?.duration === "once" && discountCents > 0;
}

function applies({ appliesTo, endsAt }: Reduction, planId: string, at: Date): boolean {
  return (appliesTo.length === 0 || appliesTo.includes(planId)) && (endsAt === null || at < endsAt);
}

function reductionOf({ percentOff, amountOffCents }: Reduction, cents: number): number {
  if (percentOff !== null) return share(cents, Math.round(percentOff * 100), 10_000);
  return Math.min(amountOffCents ?? 0, cents);
}

function prorated(request: Request, running: Running): Quote {
  const { now, wanted, coupon, couponIsNew, balanceCents, taxPercent } = request;
  const period = { start: running.periodStart, end: running.periodEnd };
  const whole = hoursBetween(period.start, period.end);
  const rest = Math.min(hoursBetween(now, period.end), whole);
  const unused = unusedOf(running, now);
  const charge = share(listCents(wanted), rest, whole);
  const off =
    coupon && applies(coupon, wanted.planId, now) ? offRest(coupon, couponIsNew, wanted, charge, rest, whole) : 0;
  const lines = [
    ...unusedLine(running, unused),
    { description: `${label(wanted)}, ${days(now, period.end)}`, amount_cents: charge },
  ];
  const paid = draftInvoice(lines, off, charge - off, balanceCents, taxPercent);
  const terms = { anchor: running.anchor, periodIndex: running.periodIndex, period, trialEnd: null };
  return done(request, paid, charge - unused, terms);
}

/** The value in cents of the time that is not used; never more than was paid, whatever the clock says. */
export function unusedOf({ valueCents, valueFrom, periodEnd }: Running, now: Date): number {
  const paidFor = hoursBetween(valueFrom, periodEnd);
  return share(valueCents, Math.min(hoursBetween(now, periodEnd), paidFor), paidFor);
}

/** The discount on the rest of a period: prorated, except for a new one-time coupon, which applies in full. */
function offRest(
  coupon: Reduction,
  isNew: boolean,
  wanted: Wanted,
  charge: number,
  rest: number,
  whole: number,
): number {
  if (coupon.duration === "once") return isNew ? reductionOf(coupon, charge) : 0;
  return Math.min(charge, share(reductionOf(coupon, listCents(wanted)), rest, whole));
}

/** Quotes a new period that begins now: the first one, or one of another interval or billing mode. */
function fromNow(request: Request, running: Running | null): Quote {
  const { now, wanted, coupon, balanceCents, taxPercent } = request;
  const period = periodAt(now, wanted.interval, 0);
  const amount = listCents(wanted);
  const unused = running ? unusedOf(running, now) : 0;
  const off = coupon && applies(coupon, wanted.planId, now) ? reductionOf(coupon, amount) : 0;
  const lines = [
    ...(running ? unusedLine(running, unused) : []),
    { description: `${label(wanted)}, ${days(period.start, period.end)}`, amount_cents: amount },
  ];
  const paid = draftInvoice(lines, off, amount - off, balanceCents, taxPercent);
  return done(request, paid, -unused, { anchor: now, periodIndex: 0, period, trialEnd: null });
}

function beginTrial(request: Request): Quote {
  const { now, wanted } = request;
  const end = trialEnd(now, wanted.trialDays);
  const free = { description: `${label(wanted)}, trial, ${days(now, end)}`, amount_cents: 0 };
  const terms = { anchor: end, periodIndex: -1, period: { start: now, end }, trialEnd: end };
  return done(request, { ...NOTHING, lines: [free] }, 0, terms);
}

/** The end of a trial that begins at `now`. */
export function trialEnd(now: Date, trialDays: number): Date {
  return new Date(now.getTime() + trialDays * DAY);
}

function withinTrial(request: Request, running: Running): Quote {
  const { wanted } = request;
  const period = { start: running.periodStart, end: running.periodEnd };
  const free = { description: `${label(wanted)}, trial, ${days(request.now, period.end)}`, amount_cents: 0 };
  const terms = { anchor: running.anchor, periodIndex: running.periodIndex, period, trialEnd: running.periodEnd };
  return done(request, { ...NOTHING, lines: [free] }, 0, terms);
}

function later(request: Request, running: Running): Quote {
  const period = { start: running.periodStart, end: running.periodEnd };
  const terms = { anchor: running.anchor, periodIndex: running.periodIndex, period, trialEnd: null };
  return { ...done(request, NOTHING, 0, terms), timing: "period_end" };
}

function done(request: Request, paid: Bill, prorationCents: number, terms: Terms): Quote {
  const { wanted, coupon, balanceCents, taxPercent } = request;
  const couponSpent = isSpent(coupon, paid);
  const { start, end } = nextPeriod(wanted, request.running, terms);
  const left = couponSpent ? null : coupon;
  const next = periodBill(wanted, { start, end }, left, balanceCents + paid.carriedCents, taxPercent);
  return {
    timing: "now",
    bill: paid,
    prorationCents,
    terms,
    next: { totalCents: next.totalCents, date: start },
    couponSpent,
  };
}

/** Returns the period after a billing cycle; one of another interval gets a new anchor. */
export function nextPeriod(wanted: Wanted, running: Running | null, { anchor, periodIndex, period }: Terms): Period {
  const sameLength = running === null || running.interval === wanted.interval || anchor !== running.anchor;
  if (!sameLength) return periodAt(period.end, wanted.interval, 0);
  return periodAt(anchor, wanted.interval, periodIndex + 1);
}

/**
 * Sums lines up. A credit that exceeds the charges goes to the account's balance, and the balance pays for charges, so
 * that the total is never below zero.
 */
function draftInvoice(
  charges: Line[],
  discountCents: number,
  valueCents: number,
  balanceCents: number,
  taxPercent: number,
): Bill {
  const sum = charges.reduce((total, line) => total + line.amount_cents, 0);
  const due = sum - discountCents;
  const carriedCents = due < 0 ? -due : -Math.min(balanceCents, due);
  const lines = [...charges, ...carriedLine(carriedCents)];
  const subtotalCents = sum + carriedCents;
  const net = subtotalCents - discountCents;
  const taxCents = share(net, Math.round(taxPercent * 100), 10_000);
  return { lines, subtotalCents, discountCents, taxCents, totalCents: net + taxCents, carriedCents, valueCents };
}

function carriedLine(cents: number): Line[] {
  if (cents === 0) return [];
  return [{ description: cents > 0 ? "Kept for the next invoices" : "Kept from earlier changes", amount_cents: cents }];
}

function unusedLine(running: Running, cents: number): Line[] {
  if (cents === 0) return [];
  return [{ description: `${label(running)}, unused time`, amount_cents: -cents }];
}

function isSame(running: Running, { planId, quantity }: Wanted): boolean {
  return running.planId === planId && running.quantity === quantity;
}

function perYear(wanted: Wanted): number {
  return listCents(wanted) * (wanted.interval === "month" ? 12 : 1);
}

function label({ name, quantity }: Pick<Wanted, "name" | "quantity">): string {
  return quantity > 1 ? `${name} × ${quantity}` : name;
}

function days(start: Date, end: Date): string {
  return `${day(start)} to ${day(end)}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats the UTC date as `31 Jan 2026`. */
export function day(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** When a coupon of `months` months that is redeemed now ends; null when it has no end of its own. */
export function couponEnd(months: number | null, now: Date): Date | null {
  return months === null ? null : addIntervals(now, "month", months);
}
