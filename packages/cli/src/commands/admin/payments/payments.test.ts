import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const problem = "The key lacks permissions: give it write for Refunds at Stripe, under Developers > API keys.";
const connection = {
  driver: "stripe",
  is_test: true,
  account: { id: "acct_1", name: "Plume" },
  webhook: { state: "registered", url: "https://feather.example.com/api/payments/stripe/webhook", missing_events: [] },
  permissions: [
    { name: "Charges", access: "read", state: "granted" },
    { name: "Refunds", access: "write", state: "missing" },
  ],
  problems: [problem],
};
const { run, runInteractive } = setupCli({ "GET /admin/payments/check": () => ({ body: connection }) });

test("admin payments check shows account, webhooks, permissions and what to do", async () => {
  const { out } = await runInteractive("admin payments check");
  expect(out).toMatch(/^driver +stripe, no money moves$/m);
  expect(out).toMatch(/^account +Plume \(acct_1\)$/m);
  expect(out).toMatch(/^webhooks +registered, https:/m);
  expect(out).toMatch(/^Refunds +write missing$/m);
  expect(out.replaceAll(/\s+/g, " ")).toContain(problem);
});

test("admin payments check gives programs the problems", async () => {
  expect(JSON.parse((await run("admin payments check --json problems")).out)).toEqual({ problems: [problem] });
});
