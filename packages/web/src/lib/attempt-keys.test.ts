import { ApiError } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { createAttemptKeys } from "./attempt-keys.ts";

const refused = (status: number, code: string) => new ApiError({ status, code, message: "x", requestId: null });
const keys = () => {
  let drawn = 0;
  return createAttemptKeys(() => `key-${++drawn}`);
};

test("the same input keeps its key, another input gets another one", () => {
  const ring = keys();
  expect([ring.keyFor({ plan: "a" }), ring.keyFor({ plan: "a" }), ring.keyFor({ plan: "b" })]).toEqual([
    "key-1",
    "key-1",
    "key-2",
  ]);
});

describe("a repeated attempt", () => {
  test.each([
    ["after success", undefined],
    ["after a declined card", refused(402, "card_declined")],
    ["without a card", refused(402, "payment_method_required")],
    ["when refused", refused(403, "forbidden")],
    ["when there is a conflict", refused(409, "subscription.unchanged")],
  ])("%s a repeat is a new call", (_, error) => {
    const ring = keys();
    const first = ring.keyFor("x");
    ring.settle(error);
    expect(ring.keyFor("x")).not.toBe(first);
  });

  test.each([
    ["after a lost connection", new TypeError("fetch failed")],
    ["after a fault of the server", refused(502, "bad_gateway")],
    ["after a time limit", refused(408, "timeout")],
    ["after too many requests", refused(429, "rate_limit_exceeded")],
    ["while the bank asks", refused(402, "authentication_required")],
    ["while the payment is pending", refused(409, "payments.pending")],
    ["while the first still runs", refused(409, "idempotency_conflict")],
  ])("%s a repeat is the same call", (_, error) => {
    const ring = keys();
    const first = ring.keyFor("x");
    ring.settle(error);
    expect(ring.keyFor("x")).toBe(first);
  });
});
