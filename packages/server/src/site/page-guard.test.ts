import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Account, createTestServer, PASSWORD, type TestServer } from "../testing/server.ts";
import { type TestSite, writeTestSite } from "../testing/site.ts";

let site: TestSite;
let server: TestServer;
let admin: Account;
let user: Account;

beforeAll(async () => {
  site = writeTestSite();
  server = await createTestServer({ siteFolder: site.folder });
  [admin, user] = [await server.signInAdmin(), await server.signUp()];
});
afterEach(async () => {
  await server.db.deleteFrom("route_rules").where("id", "!=", "rule_verify_email").execute();
});
afterAll(async () => {
  await server.close();
  site.remove();
});

async function open(path: string, session?: string, method = "GET") {
  const headers = { ...(session !== undefined && { cookie: `session=${session}` }) };
  const answer = await fetch(server.url + path, { method, headers, redirect: "manual" });
  const { status } = answer;
  return { status, location: answer.headers.get("location"), headers: answer.headers, text: await answer.text() };
}
const seen = async (path: string, session?: string) => {
  const { status, location } = await open(path, session);
  return [status, location];
};
async function rule(fields: object): Promise<void> {
  const answer = await server.call("/api/admin/route-rules", { token: admin.token, body: fields });
  expect(answer.status).toBe(201);
}

describe("a visitor without a session", () => {
  test.each([
    ["a private page", "/account", "/login?returnTo=%2Faccount"],
    ["a private page with a query", "/account?days=7&x=a%20b", "/login?returnTo=%2Faccount%3Fdays%3D7%26x%3Da%2520b"],
    ["a private page in other letters", "/Account/", "/login?returnTo=%2FAccount%2F"],
    ["an admin's page", "/admin/models/x", "/login?returnTo=%2Fadmin%2Fmodels%2Fx"],
    ["an admin's path that no page has", "/admin/no/such/page", "/login?returnTo=%2Fadmin%2Fno%2Fsuch%2Fpage"],
    ["an admin's path with a letter encoded", "/%61dmin/x", "/login?returnTo=%2Fadmin%2Fx"],
    [
      "a private page by a link of a friend",
      "/account?referrer=AB12CD34",
      "/login?returnTo=%2Faccount&referrer=AB12CD34",
    ],
    [
      "a private page from an advertisement",
      "/account?utm_source=news&days=7",
      "/login?returnTo=%2Faccount%3Fdays%3D7&utm_source=news",
    ],
  ])("a visitor without a session is redirected to the login from %s", async (_what, path, location) => {
    const answer = await open(path);
    expect([answer.status, answer.location]).toEqual([302, location]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("vary")).toMatch(/\bcookie\b/i);
    expect(answer.text).toBe("");
  });

  test("a visitor without a session is redirected to the login for HEAD requests", async () => {
    expect((await open("/account", undefined, "HEAD")).status).toBe(302);
  });

  test("a visitor without a session is redirected to the login with an expired session", async () => {
    const { token } = await server.signUp();
    await server.call("/api/auth/logout", { token, method: "POST" });
    for (const session of [token, "ses_nonsense", "%zz"]) expect((await open("/account", session)).status).toBe(302);
  });

  test.each(["/", "/models", "/login", "/docs/quickstart"])(
    "a visitor without a session sees the public page %s",
    async (path) => {
      expect(await seen(path)).toEqual([200, null]);
    },
  );

  test("a visitor without a session gets 404 for an unknown path", async () => {
    expect(await seen("/no/such/page")).toEqual([404, null]);
  });
});

describe("a user with a session", () => {
  test("a user with a session sees private pages", async () => {
    expect(await seen("/account?days=7", user.token)).toEqual([200, null]);
  });

  test("a user with a session sees admin pages only if they are an admin", async () => {
    expect(await seen("/admin/models/x", admin.token)).toEqual([200, null]);
    const { status, text } = await open("/admin/models/x", user.token);
    expect(status).toBe(404);
    expect(text).toContain("<title>Not found - ");
  });

  test("a user with a session sees no admin pages during impersonation", async () => {
    const path = `/api/admin/users/${user.userId}/impersonate`;
    const started = await server.call(path, { token: admin.token, body: { reason: "Ticket 41", password: PASSWORD } });
    const acting = started.headers.get("x-session-token") ?? "";
    expect(await seen("/admin/models/x", acting)).toEqual([404, null]);
    expect(await seen("/account", acting)).toEqual([200, null]);
  });
});

describe("a redirect rule", () => {
  test.each([301, 302, 303, 307, 308])("a redirect rule redirects page requests with its status %i", async (status) => {
    await rule({ path_glob: "/old/**", redirect_to: "/models?search=demo", status });
    const answer = await open("/old/page?x=1");
    expect([answer.status, answer.location]).toEqual([status, "/models?search=demo"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await seen("/models?search=demo")).toEqual([200, null]);
  });

  test("a redirect rule can redirect to another site", async () => {
    await rule({ path_glob: "/shop", redirect_to: "https://shop.example/here", external: true, status: 301 });
    expect(await seen("/shop")).toEqual([301, "https://shop.example/here"]);
  });

  test("a redirect rule with an invalid target in the database is ignored", async () => {
    await rule({ path_glob: "/odd", redirect_to: "/models" });
    for (const redirect_to of ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)"]) {
      await server.db.updateTable("route_rules").set({ redirect_to }).where("path_glob", "=", "/odd").execute();
      expect(await seen("/odd")).toEqual([404, null]);
    }
  });

  test("a redirect rule applies to the users it names", async () => {
    await rule({ path_glob: "/models", redirect_to: "/account", when: { auth: true } });
    expect(await seen("/models")).toEqual([200, null]);
    expect(await seen("/models", user.token)).toEqual([302, "/account"]);
  });

  test("a redirect rule redirects users with an unconfirmed address to the confirmation page", async () => {
    const { token, userId } = await server.signUp();
    await server.db.updateTable("users").set({ email_verified_at: null }).where("id", "=", userId).execute();
    expect(await seen("/account", token)).toEqual([302, "/account/verify-email"]);
  });

  test("a redirect rule that causes a redirect loop is ignored", async () => {
    await rule({ path_glob: "/models", redirect_to: "/docs/quickstart" });
    await rule({ path_glob: "/docs/*", redirect_to: "/models" });
    expect(await seen("/models")).toEqual([200, null]);
  });

  test("a redirect rule that causes a loop with the guard is ignored, and the guard applies", async () => {
    await rule({ path_glob: "/login", redirect_to: "/account", when: { auth: false } });
    expect(await seen("/login")).toEqual([200, null]);
    expect(await seen("/account")).toEqual([302, "/login?returnTo=%2Faccount"]);
  });

  test("a redirect rule can be followed by up to five others", async () => {
    const chain = (length: number) =>
      Promise.all(
        Array.from({ length }, (_, hop) => rule({ path_glob: `/hop/${hop}`, redirect_to: `/hop/${hop + 1}` })),
      );
    await chain(5);
    expect(await seen("/hop/0")).toEqual([302, "/hop/1"]);
    await rule({ path_glob: "/hop/5", redirect_to: "/models" });
    expect(await seen("/hop/0")).toEqual([404, null]);
    expect(await seen("/hop/1")).toEqual([302, "/hop/2"]);
  });

  test("a redirect rule applies to pages but not to the API or files", async () => {
    await rule({ path_glob: "/**", redirect_to: "/models" });
    expect(await seen("/docs/quickstart")).toEqual([302, "/models"]);
    expect((await open("/api/health/live")).status).toBe(200);
    expect((await open("/assets/index-abc.js")).status).toBe(200);
  });
});

test("pages are served unguarded while the rules cannot be read", async () => {
  await sql`alter table route_rules rename to route_rules_away`.execute(server.db);
  try {
    expect(await seen("/account")).toEqual([200, null]);
  } finally {
    await sql`alter table route_rules_away rename to route_rules`.execute(server.db);
  }
});
