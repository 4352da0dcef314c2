import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const plan = {
  id: "feather_old",
  name: "Old",
  description: "",
  audience: "individual",
  billing_mode: "subscription",
  price_usd_cents: 800,
  prices: [],
  interval: "month",
  unit_based: false,
  min_quantity: 1,
  max_quantity: 1,
  concurrency: 4,
  max_model_size: null,
  is_public: false,
};
const who = {
  subscription_count: 15,
  trial_count: 1,
  granted_count: 2,
  arriving_count: 3,
  prices: [
    {
      price_cents: 1000,
      currency: "EUR",
      interval: "month",
      subscription_count: 12,
      is_current: true,
      announced_count: 0,
    },
    {
      price_cents: 800,
      currency: "USD",
      interval: "year",
      subscription_count: 3,
      is_current: false,
      announced_count: 2,
    },
  ],
};
const { run, runInteractive, requests } = setupCli({
  "GET /admin/plans": () => ({ body: { items: [plan] } }),
  "GET /admin/plans/feather_basic/subscribers": () => ({ body: who }),
  "GET /admin/plans/nothing/subscribers": () => errorResponse(404, "plans.not_found", "There is no plan with this id."),
});

test("lists plans that are not on sale", async () => {
  expect((await runInteractive("admin plans list")).out).toMatch(/^Old +\$8\.00 a month.* no$/m);
});

test("counts who is on a plan, and at which price", async () => {
  const { out } = await runInteractive("admin plans subscribers feather_basic");
  expect(out).toMatch(/pay here +15\n/);
  expect(out).toContain("€10.00 a month: 12 (the current price)");
  expect(out).toContain("$8.00 a year: 3 (an earlier price, 2 know of the new one)");
  expect(JSON.parse((await run("admin plans subscribers feather_basic --json")).out)).toEqual(who);
});

test("says that there is no such plan", async () => {
  const { code, err } = await run("admin plans subscribers nothing");
  expect(code).not.toBe(0);
  expect(err).toContain("There is no plan with this id.");
  expect(requests()).toHaveLength(1);
});
