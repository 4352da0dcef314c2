import { proportion } from "../../platform/core/money.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import type { TaxCalculation } from "../payment-services/index.ts";
import { type TaxOf, taxAt } from "../taxes/index.ts";
import { addIntervals, hoursBetween, type Interval, type Period, periodAt } from "./periods.ts";

/*
 * All amounts are minor units of one currency, and multiples of its `step`. Fields have `cents` in their names because
 * that was all there was when the first of them were stored.
 */

/**
 * A plan with quantity, price and interval. The price of a `metered` plan buys credits, so its unused time has no
 * value. Stored as JSON with payments: keep the names of the fields.
 */
export type PlanSelection = {
  planId: string;
  name: string;
  quantity: number;
  priceCents: number;
  interval: Interval;
  metered: boolean;
  trialDays: number;
};

/** A paid or trialing subscription. `valueCents` was paid for the time from `valueFrom` to the end of the period. */
export type ActiveSubscription = PlanSelection & {
  anchor: Date;
  periodIndex: number;
  periodStart: Date;
  periodEnd: Date;
  valueCents: number;
  valueFrom: Date;
  trialing: boolean;
};

/** A coupon as it applies to invoices: a percentage or an amount in minor units of the currency of the invoice. */
export type Discount = {
  code: string;
  percentOff: number | null;
  amountOffCents: number | null;
  duration: "once" | "repeating" | "forever";
  appliesTo: readonly string[];
  /** When a repeating discount ends. */
  endsAt: Date | null;
};

/** A line of an invoice. Stored as JSON: keep the names of the fields. */
export type InvoiceLine = { description: string; amount_cents: number };

/**
 * An invoice before it has a number. `carriedCents` goes to the account's balance, or comes from it when below zero.
 * Stored as JSON with payments: keep the names of the fields.
 */
export type InvoiceDraft = {
  lines: InvoiceLine[];
  subtotalCents: number;
  discountCents: number;
  /** The rate of the tax; null where there is none or several. Missing in drafts that were stored before it was recorded. */
  taxPercent?: number | null | undefined;
  taxCents: number;
  /** How the tax was calculated, where the payment service did that. */
  taxCalculation?: TaxCalculation | undefined;
  totalCents: number;
  carriedCents: number;
  /** The value of the time that the invoice pays for. Credits for unused time are calculated from it. */
  valueCents: number;
};

/** A billing period, and the anchor from which it is counted. */
export type BillingCycle = { anchor: Date; periodIndex: number; period: Period; trialEnd: Date | null };

/** The cost of a change of plan, and when it takes effect. */
export type Quote = {
  timing: "now" | "period_end";
  draft: InvoiceDraft;
  prorationCents: number;
  cycle: BillingCycle;
  nextInvoice: { totalCents: number; date: Date };
  /** Whether the coupon is used up with this invoice. */
  couponSpent: boolean;
};

/** The input of a quote. */
export type QuoteRequest = {
  now: Date;
  active: ActiveSubscription | null;
  selection: PlanSelection;
  coupon: Discount | null;
  /** Whether this change adds the coupon; if false, the subscription has it already. */
  couponIsNew: boolean;
  balanceCents: number;
  trial: boolean;
  taxOf: TaxOf;
  /** Of how many minor units the amounts are multiples. */
  step: number;
};

const EMPTY_DRAFT: InvoiceDraft = {
  lines: [],
  subtotalCents: 0,
  discountCents: 0,
  taxCents: 0,
  totalCents: 0,
  carriedCents: 0,
  valueCents: 0,
};

/** Returns the price of one interval without discount and tax, in minor units. */
export function listPriceCents({ priceCents, quantity }: Pick<PlanSelection, "priceCents" | "quantity">): number {
  return priceCents * quantity;
}

/** Changes that cost at least as much per year take effect now; cheaper ones at the end of the period. */
export function timingOf(active: ActiveSubscription | null, selection: PlanSelection): Quote["timing"] {
  if (active === null || active.trialing) return "now";
  return yearlyPriceCents(selection) >= yearlyPriceCents(active) ? "now" : "period_end";
}

/** Quotes a change of plan: what is due now, and what the next invoice will be. */
export function quoteChange(request: QuoteRequest): Quote {
  const { active, selection } = request;
  if (active && (isSamePlan(active, selection) || timingOf(active, selection) === "period_end"))
    return quoteAtPeriodEnd(request, active);
  if (active?.trialing) return quoteDuringTrial(request, active);
  if (active === null && request.trial && selection.trialDays > 0) return quoteTrialStart(request);
  const samePeriod = active !== null && active.interval === selection.interval && !active.metered && !selection.metered;
  return samePeriod ? quoteProrated(request, active) : quoteNewPeriod(request, active);
}

/** Drafts the invoice of one whole period. */
export function draftPeriodInvoice(
  selection: PlanSelection,
  { start, end }: Period,
  coupon: Discount | null,
  balanceCents: number,
  taxOf: TaxOf,
  step: number,
): InvoiceDraft {
  const amountCents = listPriceCents(selection);
  const line = {
    description: `${formatSelection(selection)}, ${formatDateRange(start, end)}`,
    amount_cents: amountCents,
  };
  const discountCents =
    coupon && isApplicable(coupon, selection.planId, start) ? calculateDiscountCents(coupon, amountCents, step) : 0;
  return draftInvoice([line], discountCents, amountCents - discountCents, balanceCents, taxOf);
}

/** Drafts an invoice of one item that has neither period nor coupon. */
export function draftSingleItemInvoice(description: string, cents: number, taxOf: TaxOf): InvoiceDraft {
  return draftInvoice([{ description, amount_cents: cents }], 0, 0, 0, taxOf);
}

/** Drafts an invoice with nothing to pay, which credits the unused time of a plan to the account's balance. */
export function draftUnusedTimeInvoice(active: ActiveSubscription, unusedCents: number): InvoiceDraft {
  return draftInvoice(unusedTimeLine(active, unusedCents), 0, 0, 0, taxAt(0, 1));
}

/** Returns whether an invoice uses a coupon up: the coupon is for one invoice, and reduces this one. */
export function isSpent(coupon: Discount | null, { discountCents }: InvoiceDraft): boolean {
  return coupon?.duration === "once" && discountCents > 0;
}

function isApplicable({ appliesTo, endsAt }: Discount, planId: string, at: Date): boolean {
  return (appliesTo.length === 0 || appliesTo.includes(planId)) && (endsAt === null || at < endsAt);
}

function calculateDiscountCents({ percentOff, amountOffCents }: Discount, cents: number, step: number): number {
  if (percentOff !== null) return proportion(cents, Math.round(percentOff * 100), 10_000, step);
  return Math.min(amountOffCents ?? 0, cents);
}

function quoteProrated(request: QuoteRequest, active: ActiveSubscription): Quote {
  const { now, selection, coupon, balanceCents, step } = request;
  const period = { start: active.periodStart, end: active.periodEnd };
  const periodHours = hoursBetween(period.start, period.end);
  const remainingHours = Math.min(hoursBetween(now, period.end), periodHours);
  const unusedCents = unusedValueCents(active, now, step);
  const chargeCents = proportion(listPriceCents(selection), remainingHours, periodHours, step);
  const discountCents =
    coupon && isApplicable(coupon, selection.planId, now)
      ? calculateProratedDiscountCents(request, coupon, chargeCents, remainingHours, periodHours)
      : 0;
  const lines = [
    ...unusedTimeLine(active, unusedCents),
    { description: `${formatSelection(selection)}, ${formatDateRange(now, period.end)}`, amount_cents: chargeCents },
  ];
  const draft = draftInvoice(lines, discountCents, chargeCents - discountCents, balanceCents, request.taxOf);
  const cycle = { anchor: active.anchor, periodIndex: active.periodIndex, period, trialEnd: null };
  return buildQuote(request, draft, chargeCents - unusedCents, cycle);
}

/** Returns the value of the unused time in minor units: at most what was paid, even if the clock is wrong. */
export function unusedValueCents(
  { valueCents, valueFrom, periodEnd }: ActiveSubscription,
  now: Date,
  step: number,
): number {
  const paidHours = hoursBetween(valueFrom, periodEnd);
  return proportion(valueCents, Math.min(hoursBetween(now, periodEnd), paidHours), paidHours, step);
}

/** Returns the discount on the rest of a period: prorated, except for a new one-time coupon, which applies in full. */
function calculateProratedDiscountCents(
  { couponIsNew, selection, step }: QuoteRequest,
  coupon: Discount,
  chargeCents: number,
  remainingHours: number,
  periodHours: number,
): number {
  if (coupon.duration === "once") return couponIsNew ? calculateDiscountCents(coupon, chargeCents, step) : 0;
  return Math.min(
    chargeCents,
    proportion(calculateDiscountCents(coupon, listPriceCents(selection), step), remainingHours, periodHours, step),
  );
}

/** Quotes a new period that begins now: the first one, or one of another interval or billing mode. */
function quoteNewPeriod(request: QuoteRequest, active: ActiveSubscription | null): Quote {
  const { now, selection, coupon, balanceCents, step } = request;
  const period = periodAt(now, selection.interval, 0);
  const amountCents = listPriceCents(selection);
  const unusedCents = active ? unusedValueCents(active, now, step) : 0;
  const discountCents =
    coupon && isApplicable(coupon, selection.planId, now) ? calculateDiscountCents(coupon, amountCents, step) : 0;
  const lines = [
    ...(active ? unusedTimeLine(active, unusedCents) : []),
    {
      description: `${formatSelection(selection)}, ${formatDateRange(period.start, period.end)}`,
      amount_cents: amountCents,
    },
  ];
  const draft = draftInvoice(lines, discountCents, amountCents - discountCents, balanceCents, request.taxOf);
  return buildQuote(request, draft, -unusedCents, { anchor: now, periodIndex: 0, period, trialEnd: null });
}

function quoteTrialStart(request: QuoteRequest): Quote {
  const { now, selection } = request;
  const end = trialEnd(now, selection.trialDays);
  const trialLine = {
    description: `${formatSelection(selection)}, trial, ${formatDateRange(now, end)}`,
    amount_cents: 0,
  };
  const cycle = { anchor: end, periodIndex: -1, period: { start: now, end }, trialEnd: end };
  return buildQuote(request, { ...EMPTY_DRAFT, lines: [trialLine] }, 0, cycle);
}

/** Returns the end of a trial that begins at `now`. */
export function trialEnd(now: Date, trialDays: number): Date {
  return new Date(now.getTime() + trialDays * DAY_MS);
}

function quoteDuringTrial(request: QuoteRequest, active: ActiveSubscription): Quote {
  const { selection } = request;
  const period = { start: active.periodStart, end: active.periodEnd };
  const trialLine = {
    description: `${formatSelection(selection)}, trial, ${formatDateRange(request.now, period.end)}`,
    amount_cents: 0,
  };
  const cycle = { anchor: active.anchor, periodIndex: active.periodIndex, period, trialEnd: active.periodEnd };
  return buildQuote(request, { ...EMPTY_DRAFT, lines: [trialLine] }, 0, cycle);
}

function quoteAtPeriodEnd(request: QuoteRequest, active: ActiveSubscription): Quote {
  const period = { start: active.periodStart, end: active.periodEnd };
  const cycle = { anchor: active.anchor, periodIndex: active.periodIndex, period, trialEnd: null };
  return { ...buildQuote(request, EMPTY_DRAFT, 0, cycle), timing: "period_end" };
}

function buildQuote(request: QuoteRequest, draft: InvoiceDraft, prorationCents: number, cycle: BillingCycle): Quote {
  const { selection, coupon, balanceCents, taxOf, step } = request;
  const couponSpent = isSpent(coupon, draft);
  const { start, end } = nextPeriod(selection, request.active, cycle);
  const remainingCoupon = couponSpent ? null : coupon;
  const next = draftPeriodInvoice(
    selection,
    { start, end },
    remainingCoupon,
    balanceCents + draft.carriedCents,
    taxOf,
    step,
  );
  return {
    timing: "now",
    draft,
    prorationCents,
    cycle,
    nextInvoice: { totalCents: next.totalCents, date: start },
    couponSpent,
  };
}

/** Returns the period after a billing cycle; one of another interval gets a new anchor. */
export function nextPeriod(
  selection: PlanSelection,
  active: ActiveSubscription | null,
  { anchor, periodIndex, period }: BillingCycle,
): Period {
  const hasSameInterval = active === null || active.interval === selection.interval || anchor !== active.anchor;
  if (!hasSameInterval) return periodAt(period.end, selection.interval, 0);
  return periodAt(anchor, selection.interval, periodIndex + 1);
}

/**
 * Adds up the lines. A credit that exceeds the charges goes to the account's balance, and the balance pays for charges, so
 * that the total is never below zero.
 */
function draftInvoice(
  chargeLines: InvoiceLine[],
  discountCents: number,
  valueCents: number,
  balanceCents: number,
  taxOf: TaxOf,
): InvoiceDraft {
  const chargedCents = chargeLines.reduce((total, line) => total + line.amount_cents, 0);
  const dueCents = chargedCents - discountCents;
  const carriedCents = dueCents < 0 ? -dueCents : -Math.min(balanceCents, dueCents);
  const lines = [...chargeLines, ...balanceLine(carriedCents)];
  const subtotalCents = chargedCents + carriedCents;
  const netCents = subtotalCents - discountCents;
  const tax = taxOf(netCents);
  const totalCents = netCents + tax.taxCents;
  return { lines, subtotalCents, discountCents, ...tax, totalCents, carriedCents, valueCents };
}

function balanceLine(cents: number): InvoiceLine[] {
  if (cents === 0) return [];
  return [{ description: cents > 0 ? "Kept for the next invoices" : "Kept from earlier changes", amount_cents: cents }];
}

function unusedTimeLine(active: ActiveSubscription, cents: number): InvoiceLine[] {
  if (cents === 0) return [];
  return [{ description: `${formatSelection(active)}, unused time`, amount_cents: -cents }];
}

function isSamePlan(active: ActiveSubscription, { planId, quantity }: PlanSelection): boolean {
  return active.planId === planId && active.quantity === quantity;
}

function yearlyPriceCents(selection: PlanSelection): number {
  return listPriceCents(selection) * (selection.interval === "month" ? 12 : 1);
}

function formatSelection({ name, quantity }: Pick<PlanSelection, "name" | "quantity">): string {
  return quantity > 1 ? `${name} × ${quantity}` : name;
}

function formatDateRange(start: Date, end: Date): string {
  return `${formatDate(start)} to ${formatDate(end)}`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats the UTC date as `31 Jan 2026`. */
export function formatDate(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Returns when a coupon of `months` months that is redeemed now ends; null if `months` is null. */
export function couponEndDate(months: number | null, now: Date): Date | null {
  return months === null ? null : addIntervals(now, "month", months);
}
