import { expect, test } from "vitest";
import { parseMarketplaceLanding } from "./marketplace.ts";

test.each([
  ["provider=aws&token=t", "aws", "t"],
  ["provider=gcp&token=t%2B1", "gcp", "t+1"],
  ["x-amzn-marketplace-token=abc", "aws", "abc"],
  ["x-gcp-marketplace-token=abc", "gcp", "abc"],
  ["provider=azure&token=t&x=1", "azure", "t"],
])("parses the address %s", (query, provider, token) => {
  expect(parseMarketplaceLanding(new URLSearchParams(query))).toEqual({ kind: "ready", provider, token });
});

test.each([
  ["", /no token/],
  ["provider=aws", /no token/],
  ["provider=aws&token=", /no token/],
  ["token=t", /which marketplace/],
  ["provider=toString&token=t", /which marketplace/],
  [`provider=aws&token=${"t".repeat(4001)}`, /too long/],
])("rejects the address %j", (query, expectedText) => {
  const landing = parseMarketplaceLanding(new URLSearchParams(query));
  expect(landing.kind === "incomplete" && landing.message).toMatch(expectedText);
});
