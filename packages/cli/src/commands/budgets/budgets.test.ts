import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const budget = {
  scope: "organization",
  user_id: null,
  user_name: null,
  amount_nano_usd: "50000000000",
  period: "month",
  hard: true,
  warning_percent: 80,
  spent_nano_usd: "31000000000",
  reserved_nano_usd: "0",
  resets_at: "2026-12-01T00:00:00Z",
  created_at: "2026-11-01T09:30:00Z",
  updated_at: "2026-11-01T09:30:00Z",
};
const ofJoe = {
  ...budget,
  scope: "member",
  user_id: "usr_2",
  user_name: "Joe",
  hard: false,
  period: "none",
  resets_at: null,
};
const joe = {
  user_id: "usr_2",
  name: "Joe",
  email: "joe@example.com",
  role: "developer",
  joined_at: budget.created_at,
};
const { run, runAnonymous, requests } = setupCli({
  "GET /organization/budgets": () => ({ body: { items: [budget, ofJoe] } }),
  "GET /organization/members": () => ({ body: { items: [joe] } }),
  "PUT /organization/budget": () => ({ body: budget }),
  "DELETE /organization/budget": () => ({ status: 204 }),
  "PUT /organization/members/usr_2/budget": () => ({ body: ofJoe }),
  "DELETE /organization/members/usr_2/budget": () => ({ status: 204 }),
  "DELETE /organization/members/usr_3/budget": () => errorResponse(404, "budgets.not_found", "No such budget is set."),
});
const changes = () => requests().filter(({ method }) => method !== "GET");

test("budgets show lists budgets, and what is spent of them", async () => {
  const { code, out } = await run("budgets show");
  expect(code).toBe(0);
  expect(out).toBe(
    "organization\t31000000000\t50000000000\tmonth\thard\t80 %\t2026-12-01T00:00:00.000Z\n" +
      "Joe\t31000000000\t50000000000\tnone\talerts only\t80 %\tnever\n",
  );
  expect((await run("budgets show -q")).out).toBe("organization\nusr_2\n");
  expect(JSON.parse((await run("budgets show --json user_name,hard")).out)).toMatchObject([
    { user_name: null, hard: true },
    { user_name: "Joe", hard: false },
  ]);
});

test.each([
  ["budgets set 50", { period: "month", hard: false, warning_percent: 80 }],
  ["budgets set 50 --period week --hard --warn 90", { period: "week", hard: true, warning_percent: 90 }],
])("%s sets the budget of the organization", async (line, terms) => {
  expect((await run(line)).out).toBe("organization\n");
  expect(changes()).toMatchObject([
    { method: "PUT", url: "/organization/budget", body: { amount_nano_usd: "50000000000", ...terms } },
  ]);
});

test.each(["usr_2", "Joe@example.com"])("sets and deletes the budget of the member %s", async (member) => {
  expect((await run(`budgets set 2.50 --member ${member} --json amount_nano_usd`)).code).toBe(0);
  expect((await run(`budgets delete --member ${member} --yes`)).err).toContain("Deleted the budget of");
  expect(changes().map(({ method, url }) => [method, url])).toContainEqual([
    "DELETE",
    "/organization/members/usr_2/budget",
  ]);
});

test.each([
  ["budgets set", 2],
  ["budgets set much", 2],
  ["budgets set -- -5", 2],
  ["budgets set 5 --warn 0", 2],
  ["budgets set 5 --period year", 2],
  ["budgets set 5 --member nobody@example.com", 3],
  ["budgets delete --member usr_3 --yes", 3],
  ["budgets delete", 2],
])("%s ends with %i and changes nothing", async (line, code) => {
  expect((await run(line)).code).toBe(code);
  expect(changes().filter(({ method }) => method === "PUT")).toEqual([]);
});

test("deletes the budget of the organization", async () => {
  expect((await run("budgets delete --yes")).code).toBe(0);
  expect(changes().map(({ method, url }) => [method, url])).toEqual([["DELETE", "/organization/budget"]]);
});

test("budget commands need a sign-in", async () => {
  expect((await runAnonymous("budgets show")).code).toBe(4);
});
