import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { user } from "../../testing/fixtures.ts";
import { setupCli } from "../../testing/setup-cli.ts";
import { formatDeletionWarning } from "./delete.ts";

const { run, runAnonymous, requests } = setupCli({
  "GET /auth/me": () => ({ body: { ...user, has_password: true } }),
  "DELETE /account": ({ body }) =>
    JSON.stringify(body).includes("right")
      ? { status: 204 }
      : errorResponse(400, "auth.wrong_password", "password is not right."),
});

test("the question names what is deleted with the account and what is forfeited", () => {
  const deleted = {
    id: "org_1",
    name: "Maria",
    currency: "USD",
    credits_nano_usd: "30000000000",
    balance_cents: 250,
    commission_nano_usd: "0",
    paid_plan: {
      plan_id: "feather_pro_plus",
      plan_name: "Premium",
      quantity: 1,
      period_end_date: new Date("2026-12-19T14:01:02Z"),
      unused_cents: 1250,
    },
    deployments: 1,
    private_models: 0,
    api_keys: 2,
  };
  expect(
    formatDeletionWarning({
      organizations_deleted: [deleted],
      organizations_left: [{ id: "org_2", name: "Winter and Sons" }],
    }),
  ).toBe(
    [
      "Maria is deleted, with 2 keys, 1 deployment.",
      "Forfeited, and not given back: $30.00 of credits; Premium until 19 Dec 2026, $12.50 of it not used; $2.50 kept for next invoices.",
      "You leave Winter and Sons.",
      "Delete your account for ever?",
    ].join("\n"),
  );
});

test("account delete reads the password from stdin when nobody can be asked", async () => {
  const { code, err } = await run("account delete --yes --password-stdin", { stdin: "right\n" });
  expect([code, err]).toEqual([
    0,
    `The account ${user.username} is gone. Run feather logout to forget its sign-in here.\n`,
  ]);
  expect(requests().find(({ method }) => method === "DELETE")?.body).toEqual({ password: "right" });
});

test.each([
  ["account delete", "--yes"],
  ["account delete --yes", "--password-stdin"],
])("%s without a terminal names %s and deletes nothing", async (line, flag) => {
  const { code, err } = await run(line);
  expect(code).toBe(2);
  expect(err).toContain(flag);
  expect(requests().filter(({ method }) => method === "DELETE")).toEqual([]);
});

test("a wrong password deletes nothing", async () => {
  const { code, err } = await run("account delete --yes --password-stdin", { stdin: "wrong" });
  expect(code).not.toBe(0);
  expect(err).toContain("password is not right.");
});

test("account delete needs a sign-in", async () => {
  expect((await runAnonymous("account delete --yes")).code).toBe(4);
});
