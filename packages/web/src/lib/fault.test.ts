import { ApiError } from "@feather/sdk";
import { expect, test } from "vitest";
import { faultOf } from "./fault.ts";

const refused = (status: number, code: string, details?: Record<string, unknown>) =>
  new ApiError({ status, code, message: "Said by the server.", requestId: null, ...(details && { details }) });

test.each([
  ["payment_method_required", { label: "Add a card", to: "/account/payment-methods" }],
  ["card_declined", { label: "Use another card", to: "/account/payment-methods" }],
  ["subscription.payment_due", { label: "See the invoice", to: "/account#invoices" }],
  ["coupons.expired", null],
])("%s has the message of the server, with a link that helps", (code, way) => {
  expect(faultOf(refused(402, code))).toEqual({ message: "Said by the server.", code, way });
});

test.each([
  [{ url: "https://bank.example/1" }, { label: "Confirm with your bank", bank: "https://bank.example/1" }],
  [{}, null],
  [{ url: 7 }, null],
])("links to the bank only if there is a URL: %j", (details, way) => {
  expect(faultOf(refused(402, "authentication_required", details)).way).toEqual(way);
});

test.each([500, 503, 200])("does not show the raw message of a server or proxy error: %i", (status) => {
  expect(faultOf(refused(status, "internal")).message).toContain("Try again");
});

test("a network error has no code and no link", () => {
  expect(faultOf(new TypeError("fetch failed"))).toMatchObject({ code: null, way: null });
});

test.each([
  ["unauthorized", "Sign in, or send an API key.", "Your session has ended. Log in to go on."],
  ["reauthentication_required", "Your login is too long ago. Send your password too.", /Enter your password/],
])("%s has a message for people, not for programs", (code, message, words) => {
  const error = new ApiError({ status: 401, code, message, requestId: null });
  expect(faultOf(error).message).toMatch(words);
  expect(faultOf(error).message).not.toContain("send");
});
