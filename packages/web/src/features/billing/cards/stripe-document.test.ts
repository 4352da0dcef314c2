import { expect, test } from "vitest";
import { allowsStripe, mustReload } from "./stripe-document.ts";

test.each([
  ["https://feather.example/account/payment-methods", true],
  ["https://feather.example/subscription/change?plan=feather_basic", true],
  ["https://feather.example/account", false],
  ["https://feather.example/", false],
])("a document that was loaded from %s may load Stripe's script: %s", (url, isAllowed) => {
  expect(allowsStripe(url)).toBe(isAllowed);
});

test.each([
  ["/account", "/account/payment-methods", true],
  ["/account/payment-methods", "/account/payment-methods", false],
  ["/subscription/change", "/account/payment-methods", false],
  ["/account", "/pricing", false],
])("a document that was loaded from %s is loaded again at %s: %s", (documentPath, pagePath, isLoadedAgain) => {
  const urlOf = (path: string) => `https://feather.example${path}`;
  expect(mustReload(urlOf(documentPath), urlOf(pagePath))).toBe(isLoadedAgain);
});
