import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { calculateRefundableCents, revokedCreditCents } from "./refund-amounts.ts";

/** A paid invoice with credits, and parts of it that are refunded one after the other. */
const invoices = fc
  .record({
    total_cents: fc.integer({ min: 1, max: 10_000_000 }),
    credit_cents: fc.integer({ min: 0, max: 20_000_000 }),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
  })
  .map(({ cuts, ...invoice }) => {
    const ends = [0, ...cuts.map((cut) => Math.floor(cut * invoice.total_cents)), invoice.total_cents];
    return { invoice, ends: ends.toSorted((a, b) => a - b) };
  });

describe("the credits that a refund revokes", () => {
  test("the refunds of an invoice together revoke all its credits, whatever its parts are", () => {
    fc.assert(
      fc.property(invoices, ({ invoice, ends }) => {
        const revoked = ends.slice(1).map((end, index) => {
          const before = ends[index] ?? 0;
          return revokedCreditCents(invoice, before, end - before);
        });
        expect(revoked.every((cents) => cents >= 0)).toBe(true);
        expect(revoked.reduce((sum, cents) => sum + cents, 0)).toBe(invoice.credit_cents);
      }),
    );
  });

  test.each([
    ["half of a top-up", { total_cents: 1_000, credit_cents: 1_000 }, 0, 500, 500],
    ["a third, rounded half up", { total_cents: 3, credit_cents: 10 }, 0, 1, 3],
    ["the second third, so that the sum is right", { total_cents: 3, credit_cents: 10 }, 1, 1, 4],
    ["nothing", { total_cents: 1_000, credit_cents: 1_000 }, 300, 0, 0],
    ["an invoice without credits", { total_cents: 1_000, credit_cents: 0 }, 0, 1_000, 0],
    ["an invoice that cost nothing", { total_cents: 0, credit_cents: 1_000 }, 0, 0, 0],
  ])("a refund of %s revokes its share", (_what, invoice, refunded, cents, revoked) => {
    expect(revokedCreditCents(invoice, refunded, cents)).toBe(revoked);
  });
});

describe("the amount that can be refunded", () => {
  const cases = fc
    .record({
      total_cents: fc.integer({ min: 1, max: 500 }),
      credit_cents: fc.integer({ min: 0, max: 1_000 }),
      refunded: fc.double({ min: 0, max: 1, noNaN: true }),
      available: fc.integer({ min: 0, max: 1_000 }),
    })
    .map(({ refunded, available, ...invoice }) => {
      const refundedCents = Math.floor(refunded * invoice.total_cents);
      return { invoice, refundedCents, remainingCents: invoice.total_cents - refundedCents, available };
    });

  test("the largest amount is refunded whose credits are still there", () => {
    fc.assert(
      fc.property(cases, ({ invoice, refundedCents, remainingCents, available }) => {
        const amounts = Array.from({ length: remainingCents + 1 }, (_, cents) => cents);
        const largest = amounts.findLast((cents) => revokedCreditCents(invoice, refundedCents, cents) <= available);
        expect(
          calculateRefundableCents({ ...invoice, currency: "USD" }, refundedCents, remainingCents, available),
        ).toBe(largest ?? 0);
      }),
      { numRuns: 500 },
    );
  });

  test("all of a large invoice without credits is refunded", () => {
    const invoice = { total_cents: 1e12, credit_cents: 0, currency: "USD" };
    expect(calculateRefundableCents(invoice, 0, 1e12, 0)).toBe(1e12);
  });

  test("nothing of a top-up is refunded whose credits are spent", () => {
    expect(calculateRefundableCents({ total_cents: 1e12, credit_cents: 1e12, currency: "USD" }, 0, 1e12, 0)).toBe(0);
  });
});
