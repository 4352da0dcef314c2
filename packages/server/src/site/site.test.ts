import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { privateModelKey } from "../platform/core/models/model-keys.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";
import { PUBLIC_URL, type TestSite, writeTestSite } from "../testing/site.ts";

let site: TestSite;
let server: TestServer;
let model: string;
let session: { cookie: string };

beforeAll(async () => {
  site = writeTestSite();
  server = await createTestServer({
    siteFolder: site.folder,
    env: { FEATHER_PUBLIC_URL: PUBLIC_URL, FEATHER_PRODUCT_NAME: `Quill & "Co" $& <b>` },
  });
  const { id } = await server.db.selectFrom("models").select("id").orderBy("id").limit(1).executeTakeFirstOrThrow();
  model = id;
  session = { cookie: `session=${(await server.signInAdmin()).token}` };
});
afterAll(async () => {
  await server.close();
  site.remove();
});

const NAME = "Quill &amp; &quot;Co&quot; $&amp; &lt;b&gt;";
const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1];
const contentOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
const canonicalOf = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];

describe("the head of a page", () => {
  test.each<[string, number, string, string | undefined]>([
    ["/", 200, "Home", "/"],
    ["/models/", 200, "Models", "/models"],
    ["/models?search=x", 200, "Models", "/models"],
    ["/docs/quickstart", 200, "Quickstart &amp; more", "/docs/quickstart"],
    ["/blog/units", 200, "Units", "/blog/units"],
    ["/docs/api/nothing", 404, "Not found", undefined],
    ["/docs/nothing", 404, "Not found", undefined],
    ["/blog/nothing", 404, "Not found", undefined],
    ["/models/nobody/nothing", 404, "Not found", undefined],
    ["/models/%00/x", 404, "Not found", undefined],
    ["/model-families/QWEN", 200, "Qwen", "/model-families/qwen"],
    ["/model-families/nothing", 404, "Not found", undefined],
    ["/model-releases/1999-01-01", 404, "Not found", undefined],
    ["/model-releases/'; drop", 404, "Not found", undefined],
    ["/nothing/here", 404, "Not found", undefined],
  ])("%s has status %i, its title and its canonical URL", async (path, status, title, canonical) => {
    const { status: given, text, headers } = await server.call(path);
    expect([given, titleOf(text)]).toEqual([status, `${title} - ${NAME}`]);
    expect(canonicalOf(text)).toBe(canonical && PUBLIC_URL + canonical);
    expect(contentOf(text, "robots")).toBe(canonical ? undefined : "noindex");
    expect(headers.get("content-type")).toContain("text/html");
  });

  test.each([
    ["/account", "My Account &gt; Subscription"],
    ["/admin/models/x", "Admin &gt; Model"],
  ])("%s has its title for authorized users, and noindex for search engines", async (path, title) => {
    const { status, text } = await server.call(path, { headers: session });
    expect([status, titleOf(text)]).toEqual([200, `${title} - ${NAME}`]);
    expect([canonicalOf(text), contentOf(text, "robots")]).toEqual([undefined, "noindex"]);
  });

  test("the head of a page of a model contains its name and description, in any letter case and on each tab", async () => {
    for (const path of [`/models/${model}`, `/models/${model.toUpperCase()}`, `/models/${model}/reviews`]) {
      const { status, text } = await server.call(path);
      expect([status, titleOf(text), canonicalOf(text)]).toEqual([
        200,
        `${model} - ${NAME}`,
        `${PUBLIC_URL}/models/${model}`,
      ]);
      const [owner, name] = model.split("/");
      expect(text).toContain(`<h1 class="h1"><span class="dim">${owner}/</span>${name}</h1>`);
    }
  });

  test("the head of a page behind the login starts with its heading, which the script replaces instead of hydrating it", async () => {
    const { status, text } = await server.call("/pricing", { headers: session });
    expect(status).toBe(200);
    expect(text).toContain(`<div id="root" class="served signed-in"><h1>Plans of ${NAME}</h1></div>`);
  });

  test("the head of a page behind the login is not sent to visitors, not even its heading", async () => {
    const { text } = await server.call("/pricing");
    expect(titleOf(text)).toBe(`Login - ${NAME}`);
    expect(text).not.toContain("Plans of");
  });

  test("the head of a page for admins is sent with its heading to admins only", async () => {
    const { token } = await server.signUp();
    const user = await server.call("/admin", { headers: { cookie: `session=${token}` } });
    const admin = await server.call("/admin", { headers: session });
    expect([user.status, user.text.includes("For admins")]).toEqual([404, false]);
    expect([admin.status, admin.text.includes("For admins")]).toEqual([200, true]);
  });

  test("the head of a page does not reveal private models", async () => {
    const { organizationId } = await server.signUp();
    const key = privateModelKey(organizationId, model);
    const { id_lower, description } = await server.db
      .selectFrom("models")
      .select(["id_lower", "description"])
      .where("id", "=", model)
      .executeTakeFirstOrThrow();
    await server.db
      .updateTable("models")
      .set({ id: key, id_lower: key.toLowerCase(), organization_id: organizationId, description: "Our secret" })
      .where("id", "=", model)
      .execute();
    const { status, text } = await server.call(`/models/${model}`);
    const map = await server.call("/sitemaps/models-0.xml");
    await server.db
      .updateTable("models")
      .set({ id: model, id_lower, organization_id: null, description })
      .where("id", "=", key)
      .execute();
    expect(status).toBe(404);
    expect(text).not.toContain("Our secret");
    expect(map.text).not.toContain(`/models/${model}<`);
  });

  test("the head of a page describes the page for link previews, with an image", async () => {
    const { text } = await server.call("/docs/quickstart");
    expect(contentOf(text, "description")).toBe("About Quickstart &amp; more.");
    expect(contentOf(text, "og:description")).toBe("About Quickstart &amp; more.");
    expect(contentOf(text, "twitter:card")).toBe("summary_large_image");
    expect(contentOf((await server.call("/blog/units")).text, "og:type")).toBe("article");
  });

  test.each([
    ["a page without one", "/", /^\/share\.png$/, "The feather of"],
    ["a text", "/docs/quickstart", /^\/share\/docs\/quickstart\.png\?v=[\w-]{16}$/, "Quickstart &amp; more on"],
    ["a model", "MODEL", /^\/share\/models\/.+\.png\?v=[\w-]{16}$/, "Units: "],
    ["a private page", "/account", /^\/share\.png$/, "The feather of"],
    ["a page that is not there", "/nothing", /^\/share\.png$/, "The feather of"],
  ])("the head of a page contains the share image of %s", async (_what, path, image, alt) => {
    const { text } = await server.call(path === "MODEL" ? `/models/${model}` : path);
    for (const name of ["og:image", "twitter:image"])
      expect(contentOf(text, name)?.replace(PUBLIC_URL, "")).toMatch(image);
    expect(contentOf(text, "og:image:alt")).toContain(alt);
    expect([contentOf(text, "og:image:width"), contentOf(text, "og:image:height")]).toEqual(["1200", "630"]);
  });

  test("the head of a page cannot be broken by a hostile description", async () => {
    const hostile = `</title><script>alert(1)</script>"><img src=x onerror=alert(1)> $' $& \u0000`.replace(
      "\u0000",
      "\u0001",
    );
    await server.db.updateTable("models").set({ description: hostile }).where("id", "=", model).execute();
    for (const path of [`/models/${model}`, "/model-releases/rss.xml"]) {
      const { text } = await server.call(path);
      expect(text).not.toContain("<script>alert");
      expect(text).not.toContain('</script>"');
      expect(text).not.toContain("<img");
      expect(text).not.toContain("\u0001");
    }
  });
});

describe("a page", () => {
  test("a page is readable without scripts if it is a text page", async () => {
    expect((await server.call("/docs/quickstart")).text).toContain("<p>Text of /docs/quickstart</p>");
    expect((await server.call("/account", { headers: session })).text).toContain('<div id="root"></div>');
  });

  test("a page is rendered in the prerendered frame of its layout", async () => {
    expect((await server.call("/models")).text).toContain(
      `<div id="root" class="served" data-prerendered><h1>All models of ${NAME} at ${PUBLIC_URL}/v1</h1></div>`,
    );
    expect((await server.call("/docs/quickstart")).text).toMatch(
      /<div id="root" class="served"><header>Bar<\/header><main><article.*Text of \/docs\/quickstart.*<\/article><\/main>/,
    );
  });

  test.each(["/api/nothing", "/assets/nothing.js", "/favicon.ico"])("a page is not returned for %s", async (path) => {
    const { status, headers } = await server.call(path);
    expect([status, headers.get("content-type")?.split(";")[0]]).toEqual([404, "application/json"]);
  });

  test("a page for a model that does not exist is shown to people, even if its name ends like that of a file", async () => {
    const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const answer = await server.call("/models/nobody/nothing-1.7B", { headers });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  });

  test("a page does not accept POST", async () => {
    expect((await server.call("/models", { method: "POST", body: {} })).status).toBe(404);
  });

  test("a page is served alongside the build's files", async () => {
    expect((await server.call("/favicon.svg")).status).toBe(200);
  });
});

const LLMS_TEXT = `# Quill & "Co" $& <b>

## Start

- [Quickstart](ORIGIN/docs/quickstart.md)
- [Second](ORIGIN/docs/second.md)

## API

- [OpenAPI](ORIGIN/api/openapi.json)

## Blog

- [Later](ORIGIN/blog/later): About Later.
- [Units](ORIGIN/blog/units): About Units.
`;

describe("the docs as Markdown", () => {
  test.each([
    ["/llms.txt", "text/plain", LLMS_TEXT],
    ["/docs/quickstart.md", "text/markdown", "# Quickstart\n\n`curl ORIGIN/v1`\n"],
  ])("%s is %s with the product's name and the address of the reader", async (path, type, expected) => {
    const { statusCode, headers, body } = await server.app.inject({ url: path, headers: { host: "127.0.0.2:4000" } });
    expect([statusCode, headers["content-type"]]).toEqual([200, `${type}; charset=utf-8`]);
    expect(body).toBe(expected.replaceAll("ORIGIN", "http://127.0.0.2:4000"));
  });

  test("the docs as Markdown name the public URL to readers at its host, whatever the proxy in between speaks", async () => {
    const { body } = await server.app.inject({
      url: "/docs/quickstart.md",
      headers: { host: new URL(PUBLIC_URL).host },
    });
    expect(body).toContain(`curl ${PUBLIC_URL}/v1`);
  });

  test("the docs as Markdown have nothing at the path of a page that is not there", async () => {
    expect((await server.call("/docs/nothing.md")).status).toBe(404);
  });

  test("the docs as Markdown are linked by pages of the docs, and by no others", async () => {
    const link = '<link rel="alternate" type="text/markdown" href="/docs/quickstart.md" />';
    expect((await server.call("/docs/quickstart")).text).toContain(link);
    for (const path of ["/blog/units", "/models"])
      expect((await server.call(path)).text).not.toContain("text/markdown");
  });
});

describe("sitemaps", () => {
  const locations = (xml: string) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, location]) => location);

  test("sitemaps list every public page and every model once", async () => {
    const maps = locations((await server.call("/sitemap.xml")).text);
    const found: (string | undefined)[] = [];
    for (const map of maps) {
      const { status, text } = await server.call((map ?? "").replace(PUBLIC_URL, ""));
      expect(status).toBe(200);
      found.push(...locations(text));
    }
    expect(new Set(found).size).toBe(found.length);
    for (const path of ["/", "/models", "/docs/quickstart", "/blog/units", "/privacy", `/models/${model}`])
      expect(found).toContain(PUBLIC_URL + path);
    for (const path of ["/account", "/login", "/admin/models/:id"]) expect(found).not.toContain(PUBLIC_URL + path);
    const { count } = await server.db
      .selectFrom("models")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(found.filter((location) => location?.includes("/models/"))).toHaveLength(Number(count));
  });

  test("sitemaps return 404 beyond the last model", async () => {
    expect((await server.call("/sitemaps/models-1.xml")).status).toBe(404);
    expect((await server.call("/sitemaps/models-x.xml")).status).toBe(404);
  });

  test("sitemaps are listed in robots.txt with the disallowed paths", async () => {
    const { text } = await server.call("/robots.txt");
    expect(text).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`);
    expect(text).toContain("Disallow: /account");
  });
});

describe("feeds", () => {
  const titles = (xml: string) => [...xml.matchAll(/<item><title>(.*?)<\/title>/g)].map(([, title]) => title);

  test("feeds contain the posts, newest first", async () => {
    const { text, headers } = await server.call("/blog/rss.xml");
    expect(headers.get("content-type")).toContain("xml");
    expect(titles(text)).toEqual(["Later", "Units"]);
    expect(text).toContain(`<link>${PUBLIC_URL}/blog/later</link>`);
    expect(text).toContain("<pubDate>Thu, 01 Oct 2026 00:00:00 GMT</pubDate>");
  });

  test("feeds contain the newest models", async () => {
    const newest = await server.db
      .selectFrom("models")
      .select("id")
      .where("released_date", "is not", null)
      .orderBy("released_date", "desc")
      .orderBy("id")
      .limit(50)
      .execute();
    expect(titles((await server.call("/model-releases/rss.xml")).text)).toEqual(newest.map(({ id }) => id));
  });
});

describe("a site without posts", () => {
  test("a site without posts offers neither its blog nor a feed of it", async () => {
    const empty = writeTestSite({ hasPosts: false });
    const other = await createTestServer({ siteFolder: empty.folder, env: { FEATHER_PUBLIC_URL: PUBLIC_URL } });
    try {
      expect((await other.call("/sitemaps/pages.xml")).text).not.toContain("/blog");
      expect((await other.call("/blog/rss.xml")).status).toBe(404);
      expect((await other.call("/models")).text).not.toContain("/blog/rss.xml");
      const { status, text } = await other.call("/blog");
      expect([status, contentOf(text, "robots")]).toEqual([200, "noindex"]);
    } finally {
      await other.close();
      empty.remove();
    }
  });
});
