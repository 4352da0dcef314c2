import { ApiError } from "@feather/sdk";
import { expect, test } from "vitest";
import { describeError, errorMessage } from "./error-message.ts";

const createApiError = (status: number, code: string, details?: Record<string, unknown>) =>
  new ApiError({ status, code, message: "Said by the server.", requestId: null, ...(details && { details }) });

test.each([
  ["payment_methods.required", { label: "Add a card", to: "/account/payment-methods" }],
  ["payments.card_declined", { label: "Use another card", to: "/account/payment-methods" }],
  ["subscription.payment_due", { label: "See the invoice", to: "/account#invoices" }],
  ["coupons.expired", null],
])("%s has the message of the server, with a link that helps", (code, action) => {
  expect(describeError(createApiError(402, code))).toEqual({ message: "Said by the server.", code, action });
});

test.each([
  [{ url: "https://bank.example/1" }, { label: "Confirm with your bank", bankUrl: "https://bank.example/1" }],
  [{}, null],
  [{ url: 7 }, null],
])("links to the bank only if there is a URL: %j", (details, action) => {
  expect(describeError(createApiError(402, "payments.authentication_required", details)).action).toEqual(action);
});

test.each([
  [500, "internal_error"],
  [200, "not_json"],
  [502, null],
])("does not show the message of a failed server or a proxy: %i %s", (status, code) => {
  const error = new ApiError({ status, code, message: "upstream sent too big header", requestId: null });
  expect(errorMessage(error)).toBe("The server failed at this. Try again; if it stays so, tell who runs it.");
});

test("a failure of the server names the request, for the log of whoever runs it", () => {
  const error = new ApiError({ status: 500, code: "internal_error", message: "x", requestId: "req_1" });
  expect(errorMessage(error)).toContain("tell who runs it: request req_1.");
});

test("what the server cannot do just now has its own message", () => {
  const error = new ApiError({ status: 503, code: "hub.unavailable", message: "The hub is down.", requestId: "req_1" });
  expect(errorMessage(error)).toBe("The hub is down.");
});

test("a network error has no code and no link", () => {
  expect(describeError(new TypeError("fetch failed"))).toMatchObject({ code: null, action: null });
});

test.each(["unauthorized", "session_ended"])("%s has a message for people, not for programs", (code) => {
  const error = new ApiError({ status: 401, code, message: "Sign in, or send an API key.", requestId: null });
  expect(describeError(error).message).toBe("Your session has ended. Log in to go on.");
});
