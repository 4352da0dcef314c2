import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { privateModelKey } from "../platform/core/models/model-keys.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";
import { type TestSite, writeTestSite } from "../testing/site.ts";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
let site: TestSite;
let server: TestServer;
let model: string;
beforeAll(async () => {
  site = writeTestSite();
  server = await createTestServer({ siteFolder: site.folder });
  ({ id: model } = await server.db.selectFrom("models").select("id").orderBy("id").limit(1).executeTakeFirstOrThrow());
});
afterAll(async () => {
  await server.close();
  site.remove();
});

const imageOf = async (page: string): Promise<string> => {
  const [, url = ""] = /property="og:image" content="([^"]*)"/.exec((await server.call(page)).text) ?? [];
  return url.replaceAll("&amp;", "&").replace(/^https?:\/\/[^/]+/, "");
};
async function get(path: string, headers: Record<string, string> = {}) {
  const response = await server.send(path, { headers });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

describe("the share image of a page", () => {
  test.each([
    ["a model", () => `/models/${model}`],
    ["a text of the docs", () => "/docs/quickstart"],
    ["a post", () => "/blog/units"],
  ])(
    "the share image of a page that is %s measures 1200 by 630, and is cached until its content changes",
    async (_what, page) => {
      const address = await imageOf(page());
      const { status, headers, body } = await get(address);
      expect([status, headers.get("content-type")]).toEqual([200, "image/png"]);
      expect(body.subarray(0, 8)).toEqual(PNG);
      expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([1200, 630]);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const etag = headers.get("etag") ?? "";
      expect((await get(address, { "if-none-match": etag })).status).toBe(304);
    },
  );

  test("the share image of a page has another URL when the model changes, and is cached briefly at the old one", async () => {
    const before = await imageOf(`/models/${model}`);
    await server.db
      .updateTable("models")
      .set({ parameter_size: 123e9, avg_rating: "4.50" })
      .where("id", "=", model)
      .execute();
    const after = await imageOf(`/models/${model}`);
    expect(after).not.toBe(before);
    expect((await get(before)).headers.get("cache-control")).toBe("public, max-age=3600");
  });

  test.each([
    "/share/models/nobody/nothing.png",
    "/share/models/%2e%2e/x.png",
    "/share/account.png",
    "/share/privacy.png",
    "/share/nothing.png",
    "/share/docs/quickstart",
    "/share/.png",
  ])("the share image of a page is not found at %s", async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test("the share image of a page does not reveal private models", async () => {
    const { organizationId } = await server.signUp();
    const key = privateModelKey(organizationId, model);
    const move = (from: string, to: string, organization_id: string | null) =>
      server.db
        .updateTable("models")
        .set({ id: to, id_lower: to.toLowerCase(), organization_id })
        .where("id", "=", from)
        .execute();
    await move(model, key, organizationId);
    const { status } = await get(`/share/models/${model}.png`);
    await move(key, model, null);
    expect(status).toBe(404);
  });
});
