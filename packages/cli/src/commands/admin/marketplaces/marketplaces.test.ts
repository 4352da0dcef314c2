import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const purchase = {
  id: "mkt_1",
  organization_id: "org_1",
  organization_name: "Ada's team",
  provider: "aws",
  reference: "prodcode/123456789012/l-1",
  customer_id: "123456789012",
  offer: "feather_max",
  plan_id: null,
  quantity: 1,
  status: "pending",
  note: "The marketplace has not confirmed the purchase yet.",
  is_test: false,
  ends_at: null,
  checked_at: "2026-11-19T15:01:02Z",
  created_at: "2026-11-19T14:01:02Z",
};
const meter = {
  provider: "aws",
  offer: "feather_request_pricing",
  dimension: "extra_usage",
  unit_price_usd: "0.01",
  max_monthly_usd_cents: 50_000,
  updated_at: "2026-11-19T14:01:02Z",
};
const usage = {
  id: "mus_1",
  organization_id: "org_1",
  organization_name: "Ada's team",
  provider: "aws",
  reference: "prodcode/123456789012/l-1",
  offer: "feather_request_pricing",
  dimension: "extra_usage",
  hour_starts_at: "2026-11-19T14:00:00Z",
  units: 250,
  unit_price_usd: "0.01",
  amount_usd: "2.50",
  status: "refused",
  reason: "The customer has no subscription any more.",
  attempts: 1,
  is_test: false,
  settled_at: "2026-11-19T15:06:02Z",
};
const payout = {
  id: "mpo_1",
  provider: "aws",
  reference: "DISB-42",
  paid_on: "2026-11-28",
  amount_usd_cents: 9700,
  fee_usd_cents: 300,
  is_test: false,
  created_at: "2026-11-30T09:01:02Z",
  reversed_at: null,
  reversal_reason: null,
};
const balance = {
  ...{ provider: "aws", accepted_usd: "250.00", paid_usd: "97.00", fee_usd: "3.00" },
  ...{ open_usd: "150.00", waiting_usd: "0.00" },
};
const { run, runInteractive, requests } = setupCli({
  "GET /admin/marketplace-payouts": () => ({ body: { balances: [balance], ...buildPage([payout]) } }),
  "POST /admin/marketplace-payouts": ({ body }) =>
    (body as typeof payout).amount_usd_cents > 9700
      ? errorResponse(409, "marketplace.payout_too_high", "AWS Marketplace owes $150.00 for metered usage.")
      : { status: 201, body: payout },
  "POST /admin/marketplace-payouts/mpo_1/reverse": () => ({
    body: { ...payout, reversed_at: "2026-11-30T10:00:00Z", reversal_reason: "Wrong month" },
  }),
  "GET /admin/marketplace-purchases": () => ({ body: buildPage([purchase]) }),
  "GET /admin/marketplace-meters": () => ({ body: { items: [meter] } }),
  "PUT /admin/marketplace-meters/aws/feather_request_pricing": () => ({ body: meter }),
  "DELETE /admin/marketplace-meters/aws/feather_request_pricing": () => ({ status: 204 }),
  "GET /admin/marketplace-usage": () => ({ body: buildPage([usage]) }),
  "POST /admin/marketplace-purchases/mkt_1/settle": () => ({
    body: { ...purchase, status: "active", plan_id: "feather_max", note: null },
  }),
  "POST /admin/marketplace-purchases/mkt_2/settle": () => ({ body: { ...purchase, id: "mkt_2" } }),
  "POST /admin/marketplace-purchases/mkt_1/reject": () => ({ body: { ...purchase, status: "canceled", note: "No" } }),
  "POST /admin/marketplace-purchases/mkt_3/reject": () =>
    errorResponse(409, "marketplace.cannot_reject", "AWS Marketplace has no call to reject a purchase."),
});

test("lists purchases at marketplaces for people and programs, by state and marketplace", async () => {
  const command = "admin marketplaces list --state pending --marketplace aws --search ada";
  expect((await runInteractive(command)).out).toMatch(/Ada's team +aws .*pending/);
  expect(requests()[0]?.url).toContain("search=ada&status=pending&provider=aws");
  expect(JSON.parse((await run("admin marketplaces list --json id,status")).out)).toEqual([
    { id: "mkt_1", status: "pending" },
  ]);
});

test.each([
  ["mkt_1", "The purchase for Ada's team is on feather_max.\n"],
  ["mkt_2", "The purchase for Ada's team is pending. The marketplace has not confirmed the purchase yet.\n"],
])("settling %s says what the marketplace answered", async (id, err) => {
  expect(await run(`admin marketplaces settle ${id}`)).toEqual({ code: 0, out: `${id}\n`, err });
});

test("a rejection sends the reason", async () => {
  const answer = await run(["admin", "marketplaces", "reject", "mkt_1", "--reason", "Not signed", "--yes"]);
  expect(answer).toEqual({ code: 0, out: "mkt_1\n", err: "The purchase for Ada's team is rejected.\n" });
  expect(requests().map(({ body }) => body)).toEqual([{ reason: "Not signed" }]);
});

test.each([
  ["mkt_1 --yes", 2, "a reason is needed"],
  ["mkt_3 --reason no --yes", 6, "has no call to reject"],
])("a rejection of %s exits with %i", async (flags, code, message) => {
  const answer = await run(`admin marketplaces reject ${flags}`);
  expect(answer.code).toBe(code);
  expect(answer.err).toContain(message);
});

test("lists what is metered, and sets and removes a meter", async () => {
  expect((await runInteractive("admin marketplaces meters list")).out).toMatch(
    /aws +feather_request_pricing +extra_usage/,
  );
  const set = await run(
    "admin marketplaces meters set aws feather_request_pricing --dimension extra_usage --price 0.01 --limit 500",
  );
  expect(set).toMatchObject({
    code: 0,
    err: "Usage of feather_request_pricing is metered as extra_usage, at $0.01 a unit.\n",
  });
  expect(requests().at(-1)?.body).toEqual({
    dimension: "extra_usage",
    unit_price_usd: "0.01",
    max_monthly_usd_cents: 50_000,
  });
  const removed = await run("admin marketplaces meters remove aws feather_request_pricing --yes");
  expect(removed).toMatchObject({ code: 0, err: "Nothing more is metered for feather_request_pricing.\n" });
});

test("lists metered usage with what marketplaces said about it", async () => {
  const { out } = await runInteractive("admin marketplaces usage --state refused --marketplace aws");
  expect(out).toMatch(/Ada's team .*\$2\.50 .*refused/);
  expect(requests().at(-1)?.url).toContain("status=refused&provider=aws");
});

test("lists payouts of marketplaces, and says what is open at each", async () => {
  const { out, err } = await runInteractive("admin marketplaces payouts list --marketplace aws");
  expect(out).toMatch(/aws +DISB-42 +2026-11-28 +\$97\.00 +\$3\.00/);
  expect(err).toContain("aws: $150.00 of $250.00 are open; $97.00 were paid, and $3.00 kept.");
  expect(requests()[0]?.url).toContain("provider=aws");
  expect((await run("admin marketplaces payouts list -q")).out).toBe("mpo_1\n");
});

test("records a payout with cents, and reverses it with a reason", async () => {
  const recorded = await run(
    "admin marketplaces payouts record aws --reference DISB-42 --date 2026-11-28 --amount 97 --fee 3",
  );
  expect(recorded).toEqual({ code: 0, out: "mpo_1\n", err: "The payout DISB-42 is recorded.\n" });
  const reversed = await run([
    "admin",
    "marketplaces",
    "payouts",
    "reverse",
    "mpo_1",
    "--reason",
    "Wrong month",
    "--yes",
  ]);
  expect(reversed).toEqual({ code: 0, out: "mpo_1\n", err: "The payout DISB-42 is reversed.\n" });
  const { provider, reference, paid_on, amount_usd_cents, fee_usd_cents } = payout;
  expect(requests().map(({ body }) => body)).toEqual([
    { provider, reference, paid_on, amount_usd_cents, fee_usd_cents },
    { reason: "Wrong month" },
  ]);
});

test("a payout above what is open says how much that is", async () => {
  const answer = await run("admin marketplaces payouts record aws --reference R --date 2026-11-28 --amount 900");
  expect([answer.code, answer.out]).toEqual([6, ""]);
  expect(answer.err).toContain("AWS Marketplace owes $150.00");
});
