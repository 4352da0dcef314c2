import { describe, expect, test } from "vitest";
import { type CouponValues, couponSchema, formatOffer, NEW_COUPON, toCouponBody } from "./coupon-fields.ts";

const coupon = (change: Partial<CouponValues>): CouponValues => ({
  ...NEW_COUPON,
  code: "SPRING26",
  off: "20",
  ...change,
});

describe("the body of a coupon", () => {
  test.each<[Partial<CouponValues>, object]>([
    [{}, { code: "SPRING26", percent_off: 20, duration: "once", applies_to: [], redeem_by_date: null }],
    [{ kind: "amount", off: "2.50" }, { amount_off_cents: 250 }],
    [
      { duration: "repeating", months: "3" },
      { duration: "repeating", months: 3 },
    ],
    [{ applies_to: "a, b" }, { applies_to: ["a", "b"] }],
    [{ redeem_by_date: "2027-01-31T00:00" }, { redeem_by_date: new Date("2027-01-31T00:00:00Z") }],
    [{ max_redemptions: "1,000" }, { max_redemptions: 1000 }],
  ])("the body of a coupon contains the values of %j", (change, body) => {
    expect(toCouponBody(coupon(change))).toMatchObject(body);
  });

  test("the body of a coupon contains months only for the duration that needs them", () => {
    expect(toCouponBody(coupon({ months: "3" }))).not.toHaveProperty("months");
    expect(toCouponBody(coupon({}))).not.toHaveProperty("amount_off_cents");
  });
});

test.each<[Partial<CouponValues>, boolean]>([
  [{}, true],
  [{ code: "" }, false],
  [{ code: "a b" }, false],
  [{ code: "<script>" }, false],
  [{ off: "0" }, false],
  [{ off: "101" }, false],
  [{ off: "12.5" }, true],
  [{ kind: "amount", off: "0" }, false],
  [{ kind: "amount", off: "500" }, true],
  [{ duration: "repeating" }, false],
  [{ duration: "repeating", months: "121" }, false],
  [{ redeem_by_date: "soon" }, false],
])("%j is a valid coupon: %j", (change, good) => {
  expect(couponSchema.safeParse(coupon(change)).success).toBe(good);
});

test.each([
  [{ percent_off: 20, amount_off_cents: null, duration: "once" as const, months: null }, "20 % off, once"],
  [{ percent_off: null, amount_off_cents: 500, duration: "forever" as const, months: null }, "$5.00 off, for good"],
  [{ percent_off: 5, amount_off_cents: null, duration: "repeating" as const, months: 3 }, "5 % off for 3 months"],
])("describes the discount of %j as %j", (given, words) => {
  expect(formatOffer(given)).toBe(words);
});
