import { buildPage } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";

const one = {
  id: 7,
  action: "user.suspended",
  actor_id: "usr_1",
  subject_id: null,
  organization_id: "org_1",
  credential: "session",
  target: "usr_2",
  ip: "203.0.113.7",
  details: {},
  hash: "abc",
  created_at: "2026-11-21T10:00:00.000Z",
};
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /admin/audit": () => ({ body: buildPage([one], 80) }),
});
const refused = setupCli({
  "GET /admin/audit": () => ({
    body: buildPage(
      [{ ...one, action: "access.denied", details: { operation: "admin.users.list", reason: "not_an_admin" } }],
      1,
    ),
  }),
});

test("lists the audit log page by page", async () => {
  const { out, err } = await runInteractive("admin audit list");
  expect(out).toMatch(/2 hours ago +user\.suspended +usr_1 +usr_2 +203\.0\.113\.7 +7\n/);
  expect(err).toContain("1 of 80 entries.");
  expect((await run("admin audit list")).out).toBe(
    "2026-11-21T10:00:00.000Z\tuser.suspended\tusr_1\tusr_2\t\t203.0.113.7\t7\n",
  );
  expect(JSON.parse((await run("admin audit list --json id,hash")).out)).toEqual([{ id: 7, hash: "abc" }]);
});

test("the audit log shows the operation and the reason of a refused call", async () => {
  expect((await refused.runInteractive("admin audit list")).out).toContain(
    "access.denied: admin.users.list, not an admin",
  );
  expect((await refused.run("admin audit list")).out).toContain("\taccess.denied\t");
});

test("the flags of admin audit list become the query of the call", async () => {
  const flags = "--action user.suspended --actor usr_1 --target usr_2 --organization org_1 --from 2026-11-01";
  await run(`admin audit list ${flags} --to 2026-11-20`);
  expect(Object.fromEntries(new URLSearchParams(requests()[0]?.url.split("?")[1]))).toEqual({
    action: "user.suspended",
    actor_id: "usr_1",
    target: "usr_2",
    organization_id: "org_1",
    from_date: "2026-11-01",
    to_date: "2026-11-20",
    page: "1",
    perPage: "50",
  });
});

test("--last begins so many days before today", async () => {
  await run("admin audit list --last 7d --impersonated");
  expect(requests()[0]?.query.get("from_date")).toBe("2026-11-14");
  expect(requests()[0]?.query.get("impersonated")).toBe("true");
  expect((await run("admin audit list --last 7d --to 2026-11-20")).err).toContain("--last and --to exclude each other");
});

test("admin audit list rejects bad input, and needs a sign-in", async () => {
  expect(await run("admin audit list --from soon")).toMatchObject({ code: 2, out: "" });
  expect((await runAnonymous("admin audit list")).code).toBe(4);
});
