import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const row = (organization: string, tokens: number) => ({
  group: { day: "2026-11-21", organization },
  request_count: 8402,
  error_count: 3,
  input_tokens: tokens,
  output_tokens: 0,
  cost_nano_usd: "12500000000",
  provider_cost_nano_usd: "0",
  margin_nano_usd: "12500000000",
  unknown_cost_count: 0,
});
const items = [row("org_1", 16_200_000), row("org_2", 8_100_000)];
let elsewhere: object = {};
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "POST /admin/usage": ({ authorization }) =>
    authorization === "Bearer rc_user"
      ? errorResponse(403, "organization_permission_denied", "Only admins may do this.")
      : { body: { items: items.map((item) => ({ ...item, ...elsewhere })) } },
});

test("admin usage shows bars to people and exact values to programs", async () => {
  const { out } = await runInteractive("admin usage --by day,organization");
  expect(out.split("\n").slice(0, 3)).toEqual([
    "DAY         ORGANIZATION  REQUESTS  FAILED  TOKENS    COST",
    "2026-11-21  org_1            8,402       3   16.2M  $12.50  ████████████████████",
    "2026-11-21  org_2            8,402       3    8.1M  $12.50  ██████████",
  ]);
  expect((await run("admin usage --by day,organization")).out.split("\n")[0]).toBe(
    "2026-11-21\torg_1\t8402\t3\t16200000\t0\t12.50\t0.00\t12.50\t0",
  );
  expect((await run("admin usage --csv")).out.split("\r\n")[0]).toBe(
    "day,requests,failed,input_tokens,output_tokens,cost_usd,provider_cost_usd,margin_usd,unknown_costs",
  );
  expect(JSON.parse((await run("admin usage --json")).out)).toEqual({ items });
});

test("admin usage shows what providers charge and the margin where a provider answered", async () => {
  elsewhere = { provider_cost_nano_usd: "13000000000", margin_nano_usd: "-500000000", unknown_cost_count: 2 };
  const { out } = await runInteractive("admin usage --by month,organization");
  elsewhere = {};
  expect(out.split("\n")[0]).toContain("PROVIDERS");
  expect(out.split("\n")[1]).toMatch(/\$12\.50 {2}\$13\.00 \+ unknown {2}-\$0\.50/);
});

test.each([
  ["", "2026-11-15T00:00:00Z", ["day"]],
  [" --last 2h --by model_class", "2026-11-21T11:00:00Z", ["model_class"]],
])("admin usage%s requests whole buckets", async (flags, start, group_by) => {
  await run(`admin usage${flags}`);
  const end = Date.parse("2026-11-21T12:00:00Z") / 1000;
  expect(requests()[0]?.body).toEqual({ start: Date.parse(start) / 1000, end, group_by });
});

test.each([
  ["admin usage --by planet", "It takes day"],
  ["admin usage --by day,day", "the same twice"],
  ["admin usage --last 0", "--last takes a time"],
])("%s is rejected before any request is sent", async (line, message) => {
  const { code, err } = await run(line);
  expect(code).toBe(2);
  expect(err).toContain(message);
  expect(requests()).toEqual([]);
});

test("admin usage is for admins only", async () => {
  expect((await run("admin usage", { env: { FEATHER_API_KEY: "rc_user" } })).code).toBe(4);
  expect((await runAnonymous("admin usage")).code).toBe(4);
});
