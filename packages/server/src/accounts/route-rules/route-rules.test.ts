import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import { matchesPath, ruleApplies } from "./rules.ts";

let server: TestServer;
let admin: Account;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.signInAdmin();
});
afterAll(() => server.close());

type Rule = { id: string; position: number; path_glob: string };
const RULES = "/api/admin/route-rules";
const create = (body: object) => server.call(RULES, { token: admin.token, body });
const list = async () => ((await server.call(RULES, { token: admin.token })).body as { items: Rule[] }).items;
const lookUp = async (path: string, token?: string) => {
  const { body } = await server.call(`/api/route-rules?path=${encodeURIComponent(path)}`, { token });
  return (body as { rules: { redirect_to: string }[] }).rules.map((rule) => rule.redirect_to);
};

describe("globs", () => {
  test.each([
    ["/account/**", "/account", true],
    ["/account/**", "/account/", true],
    ["/account/**", "/account/usage/today", true],
    ["/account/**", "/accounts", false],
    ["/docs/*", "/docs/start", true],
    ["/docs/*", "/docs/start/here", false],
    ["/old", "/old/", true],
    ["/old", "/older", false],
    ["/**", "/", true],
  ])("the glob %s matches %s: %s", (glob, path, expected) => {
    expect(matchesPath(glob, path)).toBe(expected);
  });
});

describe("conditions", () => {
  const rule = {
    path_glob: "/**",
    redirect_to: "/x",
    status: 302,
    external: false,
    when_auth: null,
    when_plan: null,
    when_email_verified: null,
  };
  const context = { signedIn: false } as const;
  const user = { signedIn: true, plan: "feather_lite", emailVerified: false } as const;
  test.each([
    ["everybody", {}, true, true],
    ["visitors", { when_auth: false }, true, false],
    ["the signed-in", { when_auth: true }, false, true],
    ["a plan", { when_plan: "feather_lite" }, false, true],
    ["another plan", { when_plan: "feather_max" }, false, false],
    ["unverified e-mails", { when_email_verified: false }, false, true],
    ["verified e-mails", { when_email_verified: true }, false, false],
  ])("a rule for %s applies to these callers only", (_whom, condition, forVisitor, forUser) => {
    expect(ruleApplies({ ...rule, ...condition }, "/a", context)).toBe(forVisitor);
    expect(ruleApplies({ ...rule, ...condition }, "/a", user)).toBe(forUser);
  });

  test("a rule never redirects a path to itself", () => {
    expect(ruleApplies({ ...rule, redirect_to: "/a?from=rule" }, "/a/", context)).toBe(false);
  });
});

describe("redirect rules", () => {
  test("redirects users with an unverified e-mail to the verification page, except on that page", async () => {
    const user = await server.signUp();
    expect(await lookUp("/account/usage", user.token)).toEqual([]);
    await server.db.updateTable("users").set({ email_verified_at: null }).where("id", "=", user.userId).execute();
    expect(await lookUp("/account/usage", user.token)).toEqual(["/account/verify-email"]);
    expect(await lookUp("/account/verify-email", user.token)).toEqual([]);
    expect(await lookUp("/account/usage")).toEqual([]);
  });

  test("redirect rules creates, moves, changes and deletes rules with consecutive positions", async () => {
    const first = (await create({ path_glob: "/a", redirect_to: "/b" })).body as Rule;
    const second = (
      await create({ path_glob: "/c", redirect_to: "https://example.com/d", external: true, position: 1 })
    ).body as Rule;
    expect((await list()).map(({ id, position }) => [position, id])).toEqual([
      [1, second.id],
      [2, "rule_verify_email"],
      [3, first.id],
    ]);
    const changed = await server.call(`${RULES}/${first.id}`, {
      method: "PUT",
      token: admin.token,
      body: { path_glob: "/a", redirect_to: "/e", status: 308, position: 1 },
    });
    expect(changed.body).toMatchObject({ position: 1, redirect_to: "/e", status: 308 });
    expect(await lookUp("/a")).toEqual(["/e"]);
    expect((await server.call(`${RULES}/${second.id}`, { method: "DELETE", token: admin.token })).status).toBe(204);
    expect((await list()).map(({ position }) => position)).toEqual([1, 2]);
  });

  test("keeps positions consecutive when many rules are added concurrently", async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => create({ path_glob: `/many/${index}`, redirect_to: "/", position: 1 })),
    );
    const positions = (await list()).map(({ position }) => position);
    expect(positions).toEqual(positions.map((_, index) => index + 1));
  });

  test.each([
    ["another site without saying so", { path_glob: "/x", redirect_to: "https://evil.example" }],
    ["a path said to be external", { path_glob: "/x", redirect_to: "/y", external: true }],
    ["itself", { path_glob: "/x", redirect_to: "/x" }],
    ["a site without a protocol", { path_glob: "/x", redirect_to: "//evil.example" }],
    ["a script", { path_glob: "/x", redirect_to: "javascript:alert(1)" }],
    ["a glob that is no path", { path_glob: "x", redirect_to: "/y" }],
    ["a status that is no redirect", { path_glob: "/x", redirect_to: "/y", status: 304 }],
    ["a plan of visitors", { path_glob: "/x", redirect_to: "/y", when: { auth: false, plan: "feather_max" } }],
    ["an unknown condition", { path_glob: "/x", redirect_to: "/y", when: { moon: "full" } }],
  ])("rejects %s and changes nothing", async (_what, body) => {
    const before = await list();
    expect((await create(body)).status).toBe(400);
    expect(await list()).toEqual(before);
  });

  test("responds 404 for an unknown rule", async () => {
    const gone = `${RULES}/rule_none`;
    expect((await server.call(gone, { method: "DELETE", token: admin.token })).status).toBe(404);
    expect(
      (await server.call(gone, { method: "PUT", token: admin.token, body: { path_glob: "/x", redirect_to: "/y" } }))
        .status,
    ).toBe(404);
  });

  test("rejects a lookup without a path", async () => {
    expect((await server.call("/api/route-rules")).status).toBe(400);
    expect((await server.call("/api/route-rules?path=evil")).status).toBe(400);
  });
});
