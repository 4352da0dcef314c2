import { buildPage, buildUser } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const acme = {
  id: "org_1",
  name: "Acme",
  role: "admin",
  calls_elsewhere: true,
  chat_storage: "server",
  chat_retention_days: null,
  chat_links: false,
  created_at: "2026-11-01T09:30:00Z",
};
const labs = { ...acme, id: "org_2", name: "Labs", role: "viewer" };
const entry = {
  id: 7,
  action: "api_keys.create",
  actor_id: "usr_1",
  subject_id: null,
  organization_id: "org_1",
  credential: "session",
  target: "key_1",
  ip: null,
  details: {},
  hash: "abc",
  created_at: "2026-11-21T10:00:00.000Z",
};
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /organizations": () => ({ body: { items: [acme, labs] } }),
  "GET /organization": () => ({ body: labs }),
  "GET /organization/audit": () => ({ body: buildPage([entry]) }),
  "POST /organization/switch": ({ body }) => ({
    body: buildUser({ organizationName: JSON.stringify(body).includes("org_1") ? "Acme" : "Labs" }),
  }),
});
const bound = setupCli({
  "GET /organizations": () => ({ body: { items: [acme, labs] } }),
  "POST /organization/switch": () => errorResponse(401, "unauthorized", "A session is needed."),
});

test("lists organizations and marks the one that the sign-in acts for", async () => {
  expect((await run("organization list")).out).toBe(
    "\tAcme\tadmin\t1 Nov 2026\torg_1\n*\tLabs\tviewer\t1 Nov 2026\torg_2\n",
  );
  expect(JSON.parse((await run("orgs --json name,current")).out)).toEqual([
    { name: "Acme", current: false },
    { name: "Labs", current: true },
  ]);
});

test.each(["Acme", "org_1"])("switches to %s", async (which) => {
  expect(await run(`organization switch ${which}`)).toEqual({
    code: 0,
    out: "",
    err: "This sign-in acts for Acme now.\n",
  });
  expect(requests().at(-1)?.body).toEqual({ organization_id: "org_1" });
});

test("a credential that is bound to its organization says how to act for another one", async () => {
  const { code, err } = await bound.run("organization switch Acme");
  expect(code).toBe(4);
  expect(err).toContain("acts for the organization that it was made in");
  expect(err).toContain("feather login --profile <name>");
});

test.each([
  ["organization switch Acne", 3, "did you mean Acme?"],
  ["organization switch", 2, "feather organization list"],
  ["organization audit --last 7d --to 2026-11-20", 2, "--last and --to exclude each other"],
])("%s exits with %i", async (line, code, message) => {
  const result = await run(line);
  expect([result.code, result.out]).toEqual([code, ""]);
  expect(result.err).toContain(message);
});

test("reads the audit log of the organization with its filters", async () => {
  expect((await runInteractive("organization audit --action api_keys --last 7d")).out).toMatch(
    /2 hours ago +api_keys\.create +usr_1 +key_1/,
  );
  expect(Object.fromEntries(requests().at(-1)?.query ?? [])).toMatchObject({
    action: "api_keys",
    from_date: "2026-11-14",
  });
});

test("the list of organizations needs a sign-in", async () => {
  expect((await runAnonymous("orgs")).code).toBe(4);
});
