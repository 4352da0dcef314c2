import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing/server.ts";
import { type TestSite, writeTestSite } from "../testing/site.ts";

let site: TestSite;
let server: TestServer;
let admin: string;
let user: string;
let model: string;

beforeAll(async () => {
  site = writeTestSite();
  server = await createTestServer({ siteFolder: site.folder });
  [admin, user] = [(await server.signInAdmin()).token, (await server.signUp()).token];
  ({ id: model } = await server.db
    .selectFrom("models")
    .select("id")
    .where("released_date", "is not", null)
    .orderBy("released_date", "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirstOrThrow());
});
afterEach(async () => {
  await server.db.deleteFrom("route_rules").where("id", "!=", "rule_verify_email").execute();
});
afterAll(async () => {
  await server.close();
  site.remove();
});

/** Closes pages by a redirect rule, for everybody or only for those whom `when` names. */
async function close(path_glob: string, fields: { status?: number; when?: { auth: boolean } } = {}): Promise<void> {
  const body = { path_glob, redirect_to: "/models", ...fields };
  expect((await server.call("/api/admin/route-rules", { token: admin, body })).status).toBe(201);
}
function open(path: string, session?: string, method = "GET"): Promise<Response> {
  const headers = { ...(session !== undefined && { cookie: `session=${session}` }) };
  return fetch(server.url + path, { method, headers, redirect: "manual" });
}
const textAt = async (path: string, session?: string) => (await open(path, session)).text();

test("the Markdown of a closed page redirects as the page does, and the redirect is not stored", async () => {
  await close("/docs/quickstart", { status: 301 });
  for (const method of ["GET", "HEAD"]) {
    const { status, headers } = await open("/docs/quickstart.md?x=1", undefined, method);
    expect([status, headers.get("location")]).toEqual([301, "/models"]);
    expect([headers.get("cache-control"), headers.get("vary")]).toEqual([
      "no-store",
      expect.stringMatching(/\bcookie\b/i),
    ]);
  }
});

test("the Markdown of a page is closed to those to whom the page is closed, and each gets a version of their own", async () => {
  await close("/docs/quickstart", { when: { auth: false } });
  expect((await open("/docs/quickstart.md")).status).toBe(302);
  const { status, headers } = await open("/docs/quickstart.md", user);
  expect([status, headers.get("cache-control"), headers.get("vary")]).toEqual([
    200,
    "private, no-cache",
    expect.stringMatching(/\bcookie\b/i),
  ]);
});

test("llms.txt lists the pages that its reader may open, and no section without any", async () => {
  await close("/docs/quickstart", { when: { auth: false } });
  const forVisitors = await textAt("/llms.txt");
  expect([forVisitors.includes("/docs/quickstart.md"), forVisitors.includes("/docs/second.md")]).toEqual([false, true]);
  expect(await textAt("/llms.txt", user)).toContain("/docs/quickstart.md");
  await close("/**");
  const text = await textAt("/llms.txt", user);
  expect([text.includes("## Start"), text.includes("/api/openapi.json")]).toEqual([false, true]);
  const { headers } = await open("/llms.txt");
  expect([headers.get("cache-control"), headers.get("vary")]).toEqual([
    "private, no-cache",
    expect.stringMatching(/\bcookie\b/i),
  ]);
});

test.each([
  ["the sitemap of pages", "/sitemaps/pages.xml", "/docs/quickstart", "/docs/quickstart<", "/blog/units<"],
  ["the sitemap of models", "/sitemaps/models-0.xml", "/models/MODEL", "/models/MODEL<", "/models/"],
  ["the feed of posts", "/blog/rss.xml", "/blog/units", "/blog/units<", "/blog/later<"],
  ["the feed of models", "/model-releases/rss.xml", "/models/MODEL", "/models/MODEL<", "/models/"],
])("%s names no page that is closed to visitors, whoever asks", async (_what, path, glob, closed, left) => {
  const inText = (text: string) => text.includes(closed.replace("MODEL", model));
  expect(inText(await textAt(path))).toBe(true);
  await close(glob.replace("MODEL", model), { when: { auth: false } });
  for (const session of [undefined, user]) {
    const text = await textAt(path, session);
    expect([inText(text), text.includes(left)]).toEqual([false, true]);
  }
});

test("a rule for signed-in users leaves sitemaps and feeds as they are", async () => {
  const before = await textAt("/blog/rss.xml");
  await close("/blog/*", { when: { auth: true } });
  expect(await textAt("/blog/rss.xml", user)).toBe(before);
});

test("the share image of a page that is closed to visitors is not found", async () => {
  expect((await open("/share/docs/quickstart.png")).status).toBe(200);
  await close("/docs/quickstart", { when: { auth: false } });
  for (const session of [undefined, user]) expect((await open("/share/docs/quickstart.png", session)).status).toBe(404);
});

test("the Markdown of a page is served while the rules cannot be read, as the page is", async () => {
  await close("/docs/*");
  await sql`alter table route_rules rename to route_rules_away`.execute(server.db);
  try {
    expect((await open("/docs/quickstart.md")).status).toBe(200);
    expect(await textAt("/llms.txt")).toContain("/docs/quickstart.md");
  } finally {
    await sql`alter table route_rules_away rename to route_rules`.execute(server.db);
  }
});
