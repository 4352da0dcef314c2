import { ApiError } from "@feather/sdk";
import { describe, expect, test } from "vitest";
import { createIdempotencyKeys } from "./idempotency-keys.ts";

const createApiError = (status: number, code: string) => new ApiError({ status, code, message: "x", requestId: null });
const keys = () => {
  let createdCount = 0;
  return createIdempotencyKeys(() => `key-${++createdCount}`);
};

test("the same input keeps its key, another input gets another one", () => {
  const idempotencyKeys = keys();
  expect([
    idempotencyKeys.keyFor({ plan: "a" }),
    idempotencyKeys.keyFor({ plan: "a" }),
    idempotencyKeys.keyFor({ plan: "b" }),
  ]).toEqual(["key-1", "key-1", "key-2"]);
});

test("the outcome of one input does not end the key of another", () => {
  const idempotencyKeys = keys();
  const first = idempotencyKeys.keyFor("a");
  idempotencyKeys.keyFor("b");
  idempotencyKeys.settle("b");
  expect(idempotencyKeys.keyFor("a")).toBe(first);
});

describe("a repeated attempt", () => {
  test.each([
    ["after success", undefined],
    ["after a declined card", createApiError(402, "payments.card_declined")],
    ["without a card", createApiError(402, "payment_methods.required")],
    ["when refused", createApiError(403, "forbidden")],
    ["when there is a conflict", createApiError(409, "subscription.unchanged")],
  ])("%s a repeat is a new call", (_, error) => {
    const idempotencyKeys = keys();
    const first = idempotencyKeys.keyFor("x");
    idempotencyKeys.settle("x", error);
    expect(idempotencyKeys.keyFor("x")).not.toBe(first);
  });

  test.each([
    ["after a lost connection", new TypeError("fetch failed")],
    ["after a fault of the server", createApiError(502, "bad_gateway")],
    ["after a time limit", createApiError(408, "timeout")],
    ["after too many requests", createApiError(429, "rate_limit_exceeded")],
    ["while the bank asks", createApiError(402, "payments.authentication_required")],
    ["while the payment is pending", createApiError(409, "payments.pending")],
    ["while the first still runs", createApiError(409, "idempotency_conflict")],
  ])("%s a repeat is the same call", (_, error) => {
    const idempotencyKeys = keys();
    const first = idempotencyKeys.keyFor("x");
    idempotencyKeys.settle("x", error);
    expect(idempotencyKeys.keyFor("x")).toBe(first);
  });
});
