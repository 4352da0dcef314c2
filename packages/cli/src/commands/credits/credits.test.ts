import { buildPage } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const balance = {
  balance_nano_usd: "12500000000",
  reserved_nano_usd: "45000",
  available_nano_usd: "12499955000",
  balance_usd: "12.50",
  reserved_usd: "0.000045",
  available_usd: "12.499955",
  currency: "USD",
};
const moved = (id: string, kind: string, amount: string) => ({
  id,
  kind,
  amount_nano_usd: amount,
  description: kind === "usage" ? "Qwen/Qwen3-32B" : "By card",
  request_id: null,
  created_at: "2026-11-21T10:00:00.000Z",
});
const transactions = buildPage([moved("txn_2", "usage", "-45000"), moved("txn_1", "top_up", "20000000000")], 70);
const rule = { threshold_usd_cents: 1000, amount_usd_cents: 5000, monthly_limit_usd_cents: 20_000 };
let automatic: object = { rule, charged_this_month_usd_cents: 5000, paused: null };
let metering: object = {
  meter: {
    provider: "aws",
    dimension: "extra_usage",
    unit_price_usd: "0.01",
    max_monthly_usd_cents: 50_000,
    paused: false,
  },
  monthly_limit_usd_cents: 10_000,
  used_this_month_usd: "2.50",
  drawn_this_month_usd: "2.50",
};
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /credits/balance": () => ({ body: balance }),
  "GET /credits/auto-top-up": () => ({ body: automatic }),
  "PUT /credits/auto-top-up": () => ({ body: automatic }),
  "DELETE /credits/auto-top-up": () => ({ status: 204 }),
  "GET /cloud-marketplace/metering": () => ({ body: metering }),
  "PUT /cloud-marketplace/metering": ({ body }) => ({ body: { ...metering, ...(body as object) } }),
  "GET /usage/credits": () => ({ body: { ...balance, transactions } }),
});

test("credits balance shows the exact balance", async () => {
  expect((await run("credits balance")).out).toBe(
    "available\t$12.499955\nset aside\t$0.000045 for requests that run\nbalance\t$12.50\n",
  );
  expect(JSON.parse((await run("credits balance --json available_usd")).out)).toEqual({ available_usd: "12.499955" });
});

test("lists credit transactions page by page", async () => {
  const { out, err } = await runInteractive("credits history --limit 2");
  expect(out.split("\n").slice(1)).toEqual([
    "2 hours ago  -$0.000045  usage   Qwen/Qwen3-32B  txn_2",
    "2 hours ago      $20.00  top up  By card         txn_1",
    "",
  ]);
  expect(err).toContain("2 of 70 entries. Next page: feather credits history --limit 2 --page 2");
  expect(requests()[0]?.url).toBe("/usage/credits?page=1&perPage=2");
  expect((await run("credits history")).out.split("\n")[0]).toBe(
    "2026-11-21T10:00:00.000Z\t-45000\tusage\tQwen/Qwen3-32B\ttxn_2",
  );
  expect(JSON.parse((await run("credits history --json")).out)).toMatchObject({ items: [{ id: "txn_2" }, {}] });
});

test("credits auto-top-up show says when credits are bought, what was charged, and why it is paused", async () => {
  const text = "$50.00 when less than $10.00 are left, at most $200.00 a month with tax";
  expect((await run("credits auto-top-up show")).out).toBe(`automatic\t${text}\nthis month\t$50.00 charged\n`);
  automatic = { ...automatic, paused: { reason: "card_declined", failed_at: "2026-11-21T10:00:00Z" } };
  expect((await run("credits auto-top-up show")).out).toContain("paused\tsince 21 Nov 2026: the card was declined\n");
  automatic = { rule: null, charged_this_month_usd_cents: 0, paused: null };
  expect((await run("credits auto-top-up show")).out).toContain("automatic\toff\n");
  expect((await run("credits auto-top-up show -q")).out).toBe("off\n");
});

test("credits auto-top-up set sends exact cents after a confirmation, and needs all three amounts", async () => {
  automatic = { rule, charged_this_month_usd_cents: 0, paused: null };
  const line = "credits auto-top-up set --below 10 --buy 50 --limit 200";
  expect((await run(line)).code).toBe(2);
  expect((await run(`${line} --yes`)).code).toBe(0);
  expect(requests().map(({ method, body }) => [method, body])).toEqual([["PUT", rule]]);
  expect((await run("credits auto-top-up set --below 10 --buy 50 --yes")).code).toBe(2);
  expect((await run(`${line}.001 --yes`)).code).toBe(2);
});

test("credits auto-top-up delete switches it off", async () => {
  expect((await run("credits auto-top-up delete")).err).toContain("no longer bought automatically");
  expect(requests().map(({ method, url }) => `${method} ${url}`)).toEqual(["DELETE /credits/auto-top-up"]);
});

test.each(["credits balance", "credits history"])("%s needs a sign-in, and rejects unknown fields", async (line) => {
  expect((await runAnonymous(line)).code).toBe(4);
  expect((await run(`${line} --json nope`)).code).toBe(2);
});

test("credits metering show says what is used beyond the credits, up to which limit, and why not", async () => {
  const shown =
    "metered usage\tat most $100.00 a month\nthis month\t$2.50 used\nmarketplace\taws\nprice\t$0.01 for a unit of extra_usage\n";
  expect((await run("credits metering show")).out).toBe(shown);
  metering = { ...metering, used_this_month_usd: "2.25" };
  expect((await run("credits metering show")).out).toContain(
    "this month\t$2.25 used of $2.50 that are drawn until the hour is over\n",
  );
  metering = { meter: null, monthly_limit_usd_cents: null, used_this_month_usd: "0.00", drawn_this_month_usd: "0.00" };
  expect((await run("credits metering show")).out).toContain("metered usage\toff: the plan has none\n");
  expect((await run("credits metering show -q")).out).toBe("off\n");
});

test("credits metering set sends exact cents after a confirmation, and off switches it off", async () => {
  const set = await run("credits metering set --limit 12.50 --yes");
  expect([set.code, set.err]).toEqual([0, "Calls go on when the credits are used up, for at most $12.50 a month.\n"]);
  expect((await run("credits metering off")).err).toContain("nothing is used beyond the credits");
  expect(requests().at(-1)?.body).toEqual({ monthly_limit_usd_cents: null });
});
