import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestClock } from "@feather/testing/clock";
import { errorCode } from "@feather/testing/errors";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Account, type Answer, createTestServer, type TestServer } from "../../testing/server.ts";
import { writeTestSite } from "../../testing/site.ts";

const clock = createTestClock("2026-12-01T08:00:00Z");
const site = writeTestSite();
const dataDir = mkdtempSync(join(tmpdir(), "feather-content-"));
const warnings: object[] = [];
let server: TestServer;
let admin: Account;
let otherAdmin: Account;

beforeAll(async () => {
  for (const kind of ["blog", "pages"]) mkdirSync(join(dataDir, "content", kind), { recursive: true });
  server = await createTestServer({
    clock,
    siteFolder: site.folder,
    env: { FEATHER_DATA_DIR: dataDir, FEATHER_PUBLIC_URL: "https://feather.example" },
    log: createLog(),
  });
  admin = await server.signInAdmin();
  otherAdmin = await server.signUp("other@example.com");
  await server.db.updateTable("users").set({ is_admin: true }).where("id", "=", otherAdmin.userId).execute();
});
afterEach(async () => {
  for (const { kind, slug, version } of await listAll())
    if (version > 0) await server.call(at(kind, slug), { method: "DELETE", token: admin.token });
  for (const file of written.splice(0)) rmSync(file, { force: true });
  clock.at += 3000;
  warnings.length = 0;
});
afterAll(async () => {
  await server.close();
  site.remove();
  rmSync(dataDir, { recursive: true });
});

/** A log that keeps warnings about files. */
function createLog(): never {
  const log: object = new Proxy(
    {
      child: () => log,
      level: "info",
      warn: (what: object) => void ("file" in what && warnings.push(what)),
    },
    { get: (target, name) => Reflect.get(target, name) ?? (() => {}) },
  );
  return log as never;
}

const BODY = {
  version: 0,
  title: "Launch",
  description: "It is there.",
  author: "Ada",
  tags: ["news"],
  state: "published",
  published_at: null as string | null,
  text: "## First\n\nWords.",
};
type Item = { kind: string; slug: string; version: number; state: string; source: string; replaces: string | null };
const at = (kind: string, slug: string) => `/api/admin/content/${kind}/${slug}`;
const put = (slug: string, change: object = {}, { kind = "post", by = admin } = {}): Promise<Answer> =>
  server.call(at(kind, slug), { method: "PUT", token: by.token, body: { ...BODY, ...change } });
const listAll = async (query = ""): Promise<Item[]> =>
  ((await server.call(`/api/admin/content${query}`, { token: admin.token })).body as { items: Item[] }).items;
const listProblems = async () =>
  ((await server.call("/api/admin/content", { token: admin.token })).body as { problems: object[] }).problems;
const readPosts = async (query = "") =>
  (await server.call(`/api/feather/posts${query}`)).body as { items: { slug: string }[]; pagination: object };
const slugs = async (query = "") => (await readPosts(query)).items.map(({ slug }) => slug);
const statusOf = async (path: string) => (await server.call(path)).status;
const written: string[] = [];
function writeContent(path: string, text: string): void {
  const file = join(dataDir, "content", path);
  writeFileSync(file, text);
  written.push(file);
  clock.at += 3000;
}
const toFile = (fields: string, text = "Words of a file.") => `---\n${fields}\n---\n\n${text}\n`;
const POST_FIELDS = "title: From a file\ndescription: About it.\ndate: 2026-11-20";

describe("a post that an admin wrote", () => {
  test("is read by everybody, in the list, by itself, on the site, in its feed, sitemap and llms.txt", async () => {
    expect((await put("launch")).body).toMatchObject({ kind: "post", slug: "launch", version: 1, edited_by: "admin" });
    expect(await slugs()).toEqual(["launch", "later", "units"]);
    expect((await server.call("/api/feather/posts/launch")).body).toEqual({
      slug: "launch",
      title: "Launch",
      description: "It is there.",
      author: "Ada",
      tags: ["news"],
      published_at: clock.now().toISOString(),
      text: BODY.text,
    });
    const { status, text } = await server.call("/blog/launch");
    expect(status).toBe(200);
    expect(text).toContain("<title>Launch - Feather</title>");
    expect(text).toContain('<link rel="canonical" href="https://feather.example/blog/launch" />');
    expect(text).toContain('content="It is there."');
    expect(text).toContain('<h2 id="first">First</h2><p>Words.</p>');
    for (const path of ["/blog", "/blog/rss.xml", "/sitemaps/pages.xml", "/llms.txt"])
      expect((await server.call(path)).text, path).toContain("/blog/launch");
  });

  test("is found by its tag, a page of the list at a time", async () => {
    await put("launch");
    expect(await slugs("?tag=news")).toEqual(["launch"]);
    const { items, pagination } = await readPosts("?perPage=1&page=2");
    expect(items.map(({ slug }) => slug)).toEqual(["later"]);
    expect(pagination).toEqual({ current_page: 2, per_page: 1, total_items: 3, total_pages: 3 });
  });

  test("is hidden as a draft, from everybody but admins", async () => {
    await put("launch", { state: "draft" });
    expect(await slugs()).not.toContain("launch");
    expect(await statusOf("/api/feather/posts/launch")).toBe(404);
    expect(await statusOf("/blog/launch")).toBe(404);
    expect((await server.call("/sitemaps/pages.xml")).text).not.toContain("/blog/launch");
    const { body } = await server.call(at("post", "launch"), { token: admin.token });
    expect(body).toMatchObject({ state: "draft", published_at: null, text: BODY.text });
    expect((await listAll("?state=draft")).map(({ slug }) => slug)).toEqual(["launch"]);
  });

  test("appears at its time, without a restart", async () => {
    const time = new Date(clock.now().getTime() + 3_600_000).toISOString();
    expect((await put("launch", { published_at: time })).body).toMatchObject({ state: "scheduled" });
    expect(await statusOf("/blog/launch")).toBe(404);
    expect(await slugs()).not.toContain("launch");
    clock.at += 3_600_000;
    expect(await statusOf("/blog/launch")).toBe(200);
    expect((await slugs())[0]).toBe("launch");
    expect((await listAll("?search=laun"))[0]).toMatchObject({ state: "published" });
  });

  test("runs no scripts, and shows no pictures of other servers", async () => {
    const text =
      '<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![p](https://evil.example/p.png) <b onclick="x">bold</b>';
    await put("launch", { text, title: "<script>alert(2)</script>" });
    for (const path of ["/blog/launch", "/blog", "/blog/rss.xml"]) {
      const page = (await server.call(path)).text;
      expect(page, path).not.toMatch(/<script>alert|javascript:|evil\.example|onclick/);
    }
  });

  test("is refused where its text is nested so deep that it could not be shown", async () => {
    const refused = await put("deep", { text: `${"> ".repeat(40_000)}x` });
    expect([refused.status, errorCode(refused.body)]).toEqual([400, "invalid_request"]);
    expect(await slugs()).not.toContain("deep");
  });

  test("of two admins is saved once, and the second is refused until they have seen the first", async () => {
    expect((await put("launch")).status).toBe(200);
    const second = await put("launch", { title: "Second" }, { by: otherAdmin });
    expect([second.status, errorCode(second.body)]).toEqual([409, "content.changed"]);
    expect((await put("launch", { title: "Second", version: 1 }, { by: otherAdmin })).body).toMatchObject({
      version: 2,
    });
    const both = await Promise.all([admin, otherAdmin].map((by) => put("launch", { version: 2 }, { by })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("is deleted with its version, and both is in the audit log", async () => {
    await put("launch");
    const remove = (version: number) =>
      server.call(`${at("post", "launch")}?version=${version}`, { method: "DELETE", token: admin.token });
    expect(errorCode((await remove(7)).body)).toBe("content.changed");
    expect((await remove(1)).status).toBe(204);
    expect(errorCode((await remove(1)).body)).toBe("content.not_found");
    const log = await server.db
      .selectFrom("audit_log")
      .select(["action", "target"])
      .where("action", "like", "content.%")
      .orderBy("sequence", "desc")
      .limit(2)
      .execute();
    expect(log).toContainEqual({ action: "content.delete", target: "post/launch" });
    expect(log).toContainEqual({ action: "content.update", target: "post/launch" });
  });

  test.each([
    ["an address with a slash", "a%2Fb", {}],
    ["an address in capitals", "Launch", {}],
    ["hidden characters in the title", "launch", { title: "a\u202eb" }],
    ["no text", "launch", { text: "" }],
    ["a time that is none", "launch", { published_at: "tomorrow" }],
    ["a field that is not known", "launch", { html: "<b>" }],
  ])("is refused with %s, and nothing is stored", async (_, slug, change) => {
    expect((await put(slug, change)).status).toBe(400);
    expect((await listAll()).filter(({ version }) => version > 0)).toEqual([]);
  });

  test("is written and seen in all states by admins alone", async () => {
    const who = await server.signUp();
    expect((await put("launch", {}, { by: who })).status).toBe(404);
    expect((await server.call("/api/admin/content", { token: who.token })).status).toBe(404);
    expect(await statusOf("/api/admin/content")).toBe(401);
  });
});

describe("a page that an admin wrote", () => {
  test("has an address of its own, and is in the sitemap", async () => {
    await put("imprint", { title: "Imprint" }, { kind: "page" });
    const { status, text } = await server.call("/imprint");
    expect(status).toBe(200);
    expect(text).toContain("<title>Imprint - Feather</title>");
    expect(text).toContain('<link rel="canonical" href="https://feather.example/imprint" />');
    expect((await server.call("/sitemaps/pages.xml")).text).toContain("https://feather.example/imprint<");
    expect((await server.call("/api/feather/pages/imprint")).body).toMatchObject({ slug: "imprint", title: "Imprint" });
    expect(await slugs()).not.toContain("imprint");
    expect(await statusOf("/blog/imprint")).toBe(404);
  });

  test.each(["models", "api", "v1", "admin", "assets"])("cannot take the address /%s", async (slug) => {
    const answer = await put(slug, {}, { kind: "page" });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "content.address_taken"]);
  });

  test("at an address that the site got later is shown nowhere, and can be deleted", async () => {
    const row = { kind: "page", slug: "models", title: "Models", description: "x", author: null, tags: [] };
    const at = { published_at: new Date(clock.at - 1000), edited_by: admin.userId, edited_at: new Date(clock.at) };
    await server.db
      .insertInto("content_items")
      .values({ ...row, ...at, version: 1, body: "Words", is_draft: false })
      .execute();
    await expect.poll(() => listAll()).toContainEqual(expect.objectContaining({ slug: "models" }));
    expect(await statusOf("/api/feather/pages/models")).toBe(404);
    const sitemap = await (await server.send("/sitemaps/pages.xml")).text();
    expect(sitemap.split("<loc>https://feather.example/models</loc>").length).toBeLessThanOrEqual(2);
  });

  test("is not found after it was deleted, nor at an address that nobody gave", async () => {
    await put("imprint", {}, { kind: "page" });
    await server.call(at("page", "imprint"), { method: "DELETE", token: admin.token });
    expect(await statusOf("/imprint")).toBe(404);
    expect(await statusOf("/no-such-page")).toBe(404);
    expect(await statusOf("/api/feather/pages/no-such-page")).toBe(404);
  });
});

describe("a file of the data folder", () => {
  test("is shown as soon as it is there, and no longer after it was removed", async () => {
    writeContent("blog/from-file.md", toFile(`${POST_FIELDS}\nauthor: Bo\ntags: [files]`));
    expect((await server.call("/api/feather/posts/from-file")).body).toMatchObject({
      title: "From a file",
      author: "Bo",
      tags: ["files"],
      published_at: "2026-11-20T00:00:00.000Z",
      text: "Words of a file.",
    });
    writeContent("blog/from-file.md", toFile(POST_FIELDS, "Other words, and more."));
    expect((await server.call("/blog/from-file")).text).toContain("Other words, and more.");
    for (const file of written.splice(0)) rmSync(file, { force: true });
    clock.at += 3000;
    expect(await statusOf("/blog/from-file")).toBe(404);
  });

  test("may be a page, a draft, or have a time to come", async () => {
    writeContent("pages/imprint.md", toFile("title: Imprint\ndescription: Who runs this."));
    writeContent("blog/draft.md", toFile(`${POST_FIELDS}\ndraft: true`));
    writeContent("blog/soon.md", toFile(POST_FIELDS.replace("2026-11-20", "2027-01-01T09:00:00+01:00")));
    expect(await statusOf("/imprint")).toBe(200);
    expect(await slugs()).toEqual(["later", "units"]);
    expect((await listAll("?state=scheduled")).map(({ slug }) => slug)).toEqual(["soon"]);
  });

  test.each([
    ["no front matter", "blog/bad.md", "Words", /does not begin with front matter/],
    ["no date", "blog/bad.md", toFile("title: A\ndescription: B"), /date/],
    ["no text", "blog/bad.md", toFile(POST_FIELDS, ""), /It has no text/],
    ["a name that is no address", "blog/Bad Name.md", toFile(POST_FIELDS), /Its name is no address/],
    ["the address of a page of the site", "pages/models.md", toFile("title: A\ndescription: B"), /something else at/],
  ])("is left out and reported with %s, and the others are shown", async (_, path, text, problem) => {
    writeContent(path, text);
    writeContent("blog/good.md", toFile(POST_FIELDS));
    expect(await slugs()).toContain("good");
    expect(await listProblems()).toEqual([{ file: `content/${path}`, problem: expect.stringMatching(problem) }]);
  });

  test("is reported with its folder where that cannot be read, and a missing folder is none", async () => {
    const folder = join(dataDir, "content", "pages");
    rmSync(folder, { recursive: true });
    clock.at += 3000;
    expect(await listProblems()).toEqual([]);
    writeContent("pages", "no folder");
    expect(await listProblems()).toEqual([
      { file: "content/pages", problem: expect.stringMatching(/^It cannot be read/) },
    ]);
    for (const file of written.splice(0)) rmSync(file);
    mkdirSync(folder);
  });

  test("that never ends, or is a folder, is reported and not read", async () => {
    const link = join(dataDir, "content", "blog", "endless.md");
    symlinkSync("/dev/zero", link);
    written.push(link);
    mkdirSync(join(dataDir, "content", "pages", "folder.md"));
    clock.at += 3000;
    expect(await listProblems()).toEqual([
      { file: "content/blog/endless.md", problem: "It is no file." },
      { file: "content/pages/folder.md", problem: "It is no file." },
    ]);
    rmSync(join(dataDir, "content", "pages", "folder.md"), { recursive: true });
  });

  test("that is nested too deep, or has control characters in its head, is reported", async () => {
    writeContent("blog/deep.md", toFile(POST_FIELDS, `${"- ".repeat(5_000)}x`));
    writeContent("blog/lines.md", toFile(`title: "Two\\nlines"\ndescription: About it.\ndate: 2026-11-20`));
    expect(await listProblems()).toEqual([
      { file: "content/blog/deep.md", problem: "It has quotes or lists in more than 100 levels." },
      { file: "content/blog/lines.md", problem: expect.stringContaining("one line") },
    ]);
  });

  test("that is wrong is logged once, until it changes", async () => {
    writeContent("blog/bad.md", "Words");
    for (let count = 0; count < 3; count += 1) {
      await readPosts();
      clock.at += 3000;
    }
    expect(warnings).toHaveLength(1);
    writeContent("blog/bad.md", "Other words");
    await readPosts();
    expect(warnings).toHaveLength(2);
  });
});

describe("what an admin saves at the address of a file or of a post of the product", () => {
  test("takes its place, hides it as a draft, and gives the place back when it is deleted", async () => {
    expect((await listAll()).find(({ slug }) => slug === "units")).toMatchObject({ source: "built_in", version: 0 });
    expect(errorCode((await server.call(at("post", "units"), { method: "DELETE", token: admin.token })).body)).toBe(
      "content.not_stored",
    );
    expect((await put("units", { title: "Mine" })).body).toMatchObject({ source: "editor", replaces: "built_in" });
    expect((await server.call("/blog/units")).text).toContain("<h1>Mine</h1>");
    await put("units", { state: "draft", version: 1 });
    expect(await statusOf("/blog/units")).toBe(404);
    await server.call(at("post", "units"), { method: "DELETE", token: admin.token });
    expect((await server.call("/blog/units")).text).toContain("Text of /blog/units");
  });

  test("goes before a file, which goes before a post of the product", async () => {
    writeContent("blog/units.md", toFile(POST_FIELDS));
    expect((await listAll("?search=units"))[0]).toMatchObject({ source: "folder", replaces: "built_in" });
    await put("units");
    expect((await listAll("?kind=post&search=units"))[0]).toMatchObject({ source: "editor", replaces: "folder" });
  });
});

describe("a site with nothing published", () => {
  test("offers neither its blog nor a feed of it, until there is a post", async () => {
    for (const slug of ["units", "later"]) await put(slug, { state: "draft" });
    expect((await server.call("/privacy")).text).not.toMatch(/data-posts|rss\.xml" title="Feather: posts/);
    expect(await statusOf("/blog/rss.xml")).toBe(404);
    expect((await server.call("/sitemaps/pages.xml")).text).not.toContain("/blog");
    expect((await server.call("/llms.txt")).text).not.toContain("## Blog");
    await put("launch");
    expect((await server.call("/privacy")).text).toContain("data-posts");
  });
});
