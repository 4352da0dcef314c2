import { expect, test } from "vitest";
import { createContentSecurityPolicy } from "./content-security-policy.ts";

test.each([
  ["nothing foreign without analytics", undefined, "connect-src 'self';"],
  ["the analytics server", "https://stats.example/ingest", "connect-src 'self' https://stats.example;"],
  ["one on this machine", "http://127.0.0.1:8010", "connect-src 'self' http://127.0.0.1:8010;"],
  ["all names of PostHog's service", "https://eu.i.posthog.com", "connect-src 'self' https://*.posthog.com;"],
])("pages can connect to %s and run only our own scripts", (_, host, expected) => {
  const policy = `${createContentSecurityPolicy(host)};`;
  expect(policy).toContain(expected);
  expect(policy).toContain("script-src 'self';");
});

test("only a page with Stripe's card form may load its script and frames, and call its API", () => {
  const policy = createContentSecurityPolicy(undefined, true);
  expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;");
  expect(policy).toContain("connect-src 'self' https://api.stripe.com;");
  expect(policy).toContain("frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;");
  expect(createContentSecurityPolicy(undefined)).not.toContain("stripe");
});
