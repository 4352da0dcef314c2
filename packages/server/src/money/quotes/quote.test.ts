import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { taxAt } from "../taxes/tax.ts";
import { periodAt } from "./periods.ts";
import {
  type ActiveSubscription,
  type Discount,
  draftPeriodInvoice,
  type InvoiceDraft,
  type PlanSelection,
  type Quote,
  type QuoteRequest,
  quoteChange,
} from "./quote.ts";

const selections: fc.Arbitrary<PlanSelection> = fc.record({
  planId: fc.constantFrom("a", "b", "c"),
  name: fc.constant("Plan"),
  quantity: fc.integer({ min: 1, max: 50 }),
  priceCents: fc.integer({ min: 0, max: 1_000_000 }),
  interval: fc.constantFrom("month", "year"),
  metered: fc.boolean(),
  trialDays: fc.constantFrom(0, 7, 14),
});
const coupons: fc.Arbitrary<Discount | null> = fc.option(
  fc
    .record({
      code: fc.constant("CODE"),
      kind: fc.oneof(
        fc.record({
          percentOff: fc.integer({ min: 1, max: 10_000 }).map((n) => n / 100),
          amountOffCents: fc.constant(null),
        }),
        fc.record({ percentOff: fc.constant(null), amountOffCents: fc.integer({ min: 1, max: 5_000_000 }) }),
      ),
      duration: fc.constantFrom("once", "repeating", "forever"),
      appliesTo: fc.constantFrom<string[]>([], ["a"], ["b", "c"]),
      endsAt: fc.option(fc.date({ min: new Date("2026-01-01"), max: new Date("2027-01-01"), noInvalidDate: true })),
    })
    .map(({ kind, ...coupon }) => ({ ...coupon, ...kind })),
);

/** Running subscriptions, at a time within their period. */
const activeSubscriptions = fc
  .record({
    plan: selections,
    anchor: fc.date({ min: new Date("2024-01-01"), max: new Date("2026-01-01"), noInvalidDate: true }),
    index: fc.integer({ min: 0, max: 30 }),
    at: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
    paid: fc.double({ min: 0, max: 1, noNaN: true }),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    trialing: fc.boolean(),
  })
  .map(({ plan, anchor, index, at, paid, from, trialing }) => {
    const { start, end } = periodAt(anchor, plan.interval, index);
    const length = end.getTime() - start.getTime();
    const now = new Date(start.getTime() + Math.floor(length * at));
    const active: ActiveSubscription = {
      ...plan,
      anchor,
      periodIndex: index,
      periodStart: start,
      periodEnd: end,
      valueCents: plan.metered ? 0 : Math.floor(plan.priceCents * plan.quantity * paid),
      valueFrom: new Date(start.getTime() + Math.floor(length * at * from)),
      trialing,
    };
    return { active: active as ActiveSubscription | null, now };
  });

const requests: fc.Arbitrary<QuoteRequest> = fc
  .record({
    state: fc.oneof(activeSubscriptions, fc.constant({ active: null, now: new Date("2026-05-31T08:00:00Z") })),
    selection: selections,
    coupon: coupons,
    couponIsNew: fc.boolean(),
    balanceCents: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000_000 })),
    trial: fc.boolean(),
    taxPercent: fc.constantFrom(0, 7.7, 19, 25),
    step: fc.constantFrom(1, 10),
  })
  .map(({ state, step, selection, coupon, balanceCents, taxPercent, ...rest }) => {
    const priced = <T extends PlanSelection>(plan: T): T => ({ ...plan, priceCents: plan.priceCents * step });
    const { active } = state;
    return {
      ...rest,
      ...state,
      step,
      taxOf: taxAt(taxPercent, step),
      active: active && { ...priced(active), valueCents: active.valueCents * step },
      selection: priced(selection),
      coupon: coupon && {
        ...coupon,
        amountOffCents: coupon.amountOffCents === null ? null : coupon.amountOffCents * step,
      },
      balanceCents: balanceCents * step,
    };
  });

const sumOf = ({ lines }: InvoiceDraft) => lines.reduce((sum, { amount_cents }) => sum + amount_cents, 0);

describe("the quote of any change", () => {
  const always = (check: (quoted: Quote, request: QuoteRequest) => void) =>
    fc.assert(
      fc.property(requests, (request) => {
        check(quoteChange(request), request);
      }),
      { numRuns: 1_000 },
    );

  test("the quote of any change adds up: lines to the subtotal; subtotal, discount and tax to the total", () => {
    always(({ draft }) => {
      expect(sumOf(draft)).toBe(draft.subtotalCents);
      expect(draft.subtotalCents - draft.discountCents + draft.taxCents).toBe(draft.totalCents);
    });
  });

  test("the quote of any change has amounts that are multiples of what can be charged", () => {
    always(({ draft, prorationCents, nextInvoice }, { step }) => {
      const { discountCents, taxCents, totalCents, carriedCents, valueCents } = draft;
      const amounts = [
        discountCents,
        taxCents,
        totalCents,
        carriedCents,
        valueCents,
        prorationCents,
        nextInvoice.totalCents,
      ];
      const lines = draft.lines.map(({ amount_cents }) => amount_cents);
      expect([...amounts, ...lines].filter((amount) => Math.abs(amount) % step !== 0)).toEqual([]);
    });
  });

  test("the quote of any change is in whole cents, with total, discount and tax never below zero", () => {
    always(({ draft, nextInvoice }) => {
      for (const cents of [
        draft.totalCents,
        draft.discountCents,
        draft.taxCents,
        nextInvoice.totalCents,
        draft.valueCents,
      ]) {
        expect(Number.isInteger(cents)).toBe(true);
        expect(cents).toBeGreaterThanOrEqual(0);
      }
    });
  });

  test("the quote of any change never takes more from the balance than it holds, and never both takes and adds", () => {
    always(({ draft }, { balanceCents }) => {
      expect(balanceCents + draft.carriedCents).toBeGreaterThanOrEqual(0);
      if (draft.carriedCents > 0) expect(draft.totalCents).toBe(0);
    });
  });

  test("the quote of any change never credits more for unused time than was paid for it", () => {
    always(({ draft }, { active }) => {
      const unused = draft.lines.find(({ description }) => description.endsWith("unused time"));
      expect(-(unused?.amount_cents ?? 0)).toBeLessThanOrEqual(active?.valueCents ?? 0);
    });
  });

  test("the quote of a scheduled change costs nothing and keeps the period", () => {
    always(({ timing, draft, cycle }, { active }) => {
      if (timing === "now") return;
      expect(draft).toMatchObject({ lines: [], totalCents: 0, carriedCents: 0 });
      expect(cycle.period).toEqual({ start: active?.periodStart, end: active?.periodEnd });
    });
  });

  test("the quote of any change dates the next invoice at the end of the paid period", () => {
    always(({ cycle, nextInvoice }) => expect(nextInvoice.date).toEqual(cycle.period.end));
  });

  test("the quote of a new customer's purchase is the list price minus the discount", () => {
    always(({ draft }, { active, selection, balanceCents, trial }) => {
      const hasTax = (draft.taxPercent ?? 0) > 0;
      if (active !== null || balanceCents > 0 || hasTax || (trial && selection.trialDays > 0)) return;
      expect(draft.totalCents).toBe(selection.priceCents * selection.quantity - draft.discountCents);
    });
  });
});

describe("a change within a period", () => {
  const START = new Date("2026-01-31T10:00:00Z");
  const active: ActiveSubscription = {
    planId: "a",
    name: "Plan",
    quantity: 1,
    priceCents: 10_000,
    interval: "month",
    metered: false,
    trialDays: 0,
    anchor: START,
    periodIndex: 0,
    periodStart: START,
    periodEnd: new Date("2026-02-28T10:00:00Z"),
    valueCents: 10_000,
    valueFrom: START,
    trialing: false,
  };
  const at = (now: string) =>
    quoteChange({
      now: new Date(now),
      active,
      selection: { ...active, quantity: 2 },
      coupon: null,
      couponIsNew: false,
      balanceCents: 0,
      trial: false,
      taxOf: taxAt(0, 1),
      step: 1,
    });

  test("a change within a period costs the price of the whole period within its first hour", () => {
    expect(at("2026-01-31T10:00:37Z").draft.totalCents).toBe(10_000);
    expect(at("2026-01-31T11:00:01Z").draft.totalCents).toBeLessThan(10_000);
  });

  test.each(["2026-01-31T09:00:00Z", "2025-11-01T00:00:00Z"])(
    "a change costs no more than the whole period when the clock says %s, before the period",
    (now) => {
      expect(at(now).draft.totalCents).toBe(10_000);
      expect(at(now).prorationCents).toBe(10_000);
    },
  );
});

describe("the invoice of a period", () => {
  test("the invoice of a period adds up, and subtracts the discount at most once", () => {
    fc.assert(
      fc.property(selections, coupons, fc.integer({ min: 0, max: 100_000 }), (selection, coupon, balance) => {
        const bill = draftPeriodInvoice(
          selection,
          periodAt(new Date("2026-01-31T00:00:00Z"), "month", 3),
          coupon,
          balance,
          taxAt(19, 1),
          1,
        );
        expect(sumOf(bill)).toBe(bill.subtotalCents);
        expect(bill.subtotalCents - bill.discountCents + bill.taxCents).toBe(bill.totalCents);
        expect(bill.totalCents).toBeGreaterThanOrEqual(0);
        expect(bill.discountCents).toBeLessThanOrEqual(selection.priceCents * selection.quantity);
      }),
    );
  });
});
