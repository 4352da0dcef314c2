import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";
import { formatGrantQuestion } from "./grant-plan.ts";

const user = {
  id: "usr_1",
  email: "maria@example.com",
  username: "maria",
  name: "Maria Winter",
  is_admin: false,
  email_verified: true,
  suspended_at: null,
  suspension_reason: null,
  approval_requested_at: null,
  has_second_factor: false,
  organization_id: "org_1",
  organization_name: "Winter & Sons",
  plan_id: "max",
  last_seen_at: null,
  requests_30d: 4210,
  created_at: "2026-10-02T08:00:00.000Z",
};
const balance = { available_nano_usd: "22500000000", available_usd: "22.50" };
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /admin/users": ({ url }) => ({
    body: buildPage(
      url.includes("search=nobody")
        ? []
        : [{ ...user, id: "usr_9", email: "maria@example.com.au", username: "m" }, user],
    ),
  }),
  "GET /admin/users/usr_1": () => ({ body: user }),
  "POST /admin/users/usr_1/approve": () => ({ body: user }),
  "DELETE /admin/users/usr_1/second-factor": () => ({ status: 204 }),
  "POST /admin/users/usr_1/refuse": () => ({ status: 204 }),
  "PUT /admin/users/usr_1": ({ body }) => ({ body: { ...user, ...(body as object) } }),
  "PUT /admin/users/usr_2": () => errorResponse(409, "users.last_admin", "The last admin stays one."),
  "PUT /admin/users/usr_3": () => errorResponse(403, "organization_permission_denied", "Only admins may do this."),
  "POST /admin/users/usr_1/test-clock": () => ({ body: { days_ahead: 31, time: "2026-12-31T10:00:00Z" } }),
  "POST /admin/users/usr_1/credits": ({ body }) =>
    JSON.stringify(body).includes('"-')
      ? errorResponse(409, "insufficient_credits", "Only 2.50 USD are available.")
      : { body: balance },
});

test("lists users for people, pipes and programs", async () => {
  const { out } = await runInteractive("admin users list");
  expect(out).toMatch(/maria@example\.com +Maria Winter +active +max +4,210 +never +usr_1\n/);
  expect((await run("admin users list")).out.split("\n")[1]).toBe(
    "maria@example.com\tMaria Winter\tactive\t\tmax\t4210\t\tusr_1",
  );
  expect(JSON.parse((await run("admin users list --json id,plan_id")).out)[1]).toEqual({ id: "usr_1", plan_id: "max" });
});

test("the flags of admin users list become the query of the call", async () => {
  await run("admin users list --search ma --plan max --state active --admins --sort=-email --limit 5");
  expect(Object.fromEntries(new URLSearchParams(requests()[0]?.url.split("?")[1]))).toEqual({
    search: "ma",
    plan_id: "max",
    status: "active",
    is_admin: "true",
    sort: "-email",
    page: "1",
    perPage: "5",
  });
});

test.each(["maria@example.com", "Maria", "usr_1"])("shows the user %s, and nobody with a similar name", async (who) => {
  const { out } = await run(`admin users show ${who}`);
  expect(out).toContain("e-mail\tmaria@example.com\n");
  expect(out).toContain("id\tusr_1\n");
});

test.each([
  [["suspend", "usr_1", "--reason", "Unsolicited mail"], { suspended: true, reason: "Unsolicited mail" }],
  [["restore", "usr_1"], { suspended: false }],
  [["grant-plan", "usr_1", "max", "--quantity", "2"], { plan_id: "max", quantity: 2 }],
  [["make-admin", "usr_1", "--password-stdin"], { is_admin: true, password: "right" }],
  [["make-admin", "usr_1", "--revoke", "--password-stdin"], { is_admin: false, password: "right" }],
])("admin users %j changes only that", async (words, body) => {
  const { code, out, err } = await run(["admin", "users", ...words, "--yes"], { stdin: "right\n" });
  expect([code, out]).toEqual([0, "usr_1\n"]);
  expect(err).toContain("maria@example.com");
  expect(requests().map(({ body }) => body)).toEqual([body]);
});

test("granting a plan shows first which plan ends and what is credited", () => {
  const ended = {
    plan_id: "feather_scale",
    plan_name: "Scale",
    quantity: 5,
    period_end_date: new Date("2026-12-19T14:01:02Z"),
    currency: "USD",
    credited_cents: 59_500,
    balance_cents: 59_500,
  };
  expect(formatGrantQuestion("maria", "max", ended)).toBe(
    "Grant maria the plan max without payment? Scale × 5, paid until 19 Dec 2026, ends at once. $595.00 are kept for the next invoices.",
  );
  expect(formatGrantQuestion("maria", "max", null)).toBe("Grant maria the plan max without payment?");
});

test("a user can be named by e-mail", async () => {
  await run("admin users restore maria@example.com --yes");
  expect(requests().map(({ method, url }) => `${method} ${url.split("?")[0]}`)).toEqual([
    "GET /admin/users",
    "PUT /admin/users/usr_1",
  ]);
});

test("credits are granted to the billionth of a dollar", async () => {
  const line = "admin users grant-credits usr_1 --amount 2.500000001 --reason outage --yes";
  expect(await run(line)).toEqual({ code: 0, out: "usr_1\n", err: "$22.50 are available now.\n" });
  expect(requests()[0]?.body).toEqual({ amount_nano_usd: "2500000001", reason: "outage" });
});

test("the time of an organization is advanced by days, after confirmation", async () => {
  expect(await run("admin users advance-time usr_1 --days 31 --yes")).toEqual({
    code: 0,
    out: "usr_1\n",
    err: "It is 2026-12-31T10:00:00Z in its organization now.\n",
  });
  expect(requests()[0]?.body).toEqual({ days: 31 });
});

test.each([
  ["admin users make-admin usr_2 --revoke --yes --password-stdin", 6, "The last admin stays one."],
  ["admin users restore usr_3 --yes", 4, "Only admins may do this."],
  ["admin users grant-credits usr_1 --amount=-5 --reason x --yes", 6, "Only 2.50 USD are available."],
  ["admin users show nobody", 3, "there is no user nobody"],
  ["admin users restore nobody --yes", 3, "there is no user nobody"],
])("%s exits with %i", async (line, exit, words) => {
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([exit, ""]);
  expect(err).toContain(words);
});

test.each([
  ["admin users suspend usr_1", "a reason is needed"],
  ["admin users restore usr_1", "--yes"],
  ["admin users advance-time usr_1", "how far is missing"],
  ["admin users advance-time usr_1 --days 93", "whole number from 1 to 92"],
  ["admin users grant-credits usr_1 --reason x", "how much is missing"],
  ["admin users grant-credits usr_1 --amount 5", "why is missing"],
  ["admin users grant-credits usr_1 --amount 0 --reason x", "amount of dollars"],
  ["admin users list --state gone", "Allowed choices"],
])("%s is rejected before any request is sent", async (line, words) => {
  const { code, err } = await run(line);
  expect(code).toBe(2);
  expect(err).toContain(words);
  expect(requests()).toEqual([]);
});

test("the command needs a sign-in", async () => {
  expect((await runAnonymous("admin users list")).code).toBe(4);
});

test("approves a pending account, or refuses it with a reason after confirmation", async () => {
  expect(
    (await run("admin users approve usr_1")).err + (await run("admin users approve usr_1 --json id")).out,
  ).toContain("usr_1");
  expect((await run("admin users refuse usr_1 --reason=Members --yes")).code).toBe(0);
  expect(requests().at(-1)).toMatchObject({ method: "POST", body: { reason: "Members" } });
});

test("resets a second factor with the admin's password and a reason, after confirmation", async () => {
  const line = ["admin", "users", "reset-second-factor", "usr_1", "--password-stdin", "--reason", "Lost it"];
  const { code, err } = await run([...line, "--yes"], { stdin: "right\n" });
  expect([code, err]).toEqual([0, expect.stringContaining("without a second factor")]);
  const sent = requests().find(({ method }) => method === "DELETE");
  expect(sent?.body).toEqual({ reason: "Lost it", password: "right" });
});

test.each(["", " --reason=x"])("a second factor is not reset without a reason:%s", async (flags) => {
  const { code } = await run(`admin users reset-second-factor usr_1 --yes${flags}`);
  expect([code, requests().some(({ method }) => method === "DELETE")]).toEqual([2, false]);
});
