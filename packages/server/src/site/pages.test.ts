import { request as httpRequest } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing/server.ts";
import { ARCHIVE, SCRIPT, type TestSite, writeTestSite } from "../testing/site.ts";

type Raw = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

let site: TestSite;
let server: TestServer;
beforeAll(async () => {
  site = writeTestSite();
  server = await createTestServer({ siteFolder: site.folder });
});
afterAll(async () => {
  await server.close();
  site.remove();
});

/** Returns the raw response to a path that is sent unchanged. */
function raw(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(server.url);
    const request = httpRequest({ host: "127.0.0.1", port, path, headers, method }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    request.on("error", reject).end();
  });
}

describe("a page", () => {
  test.each(["/", "/models", "/docs/quickstart", "/nothing"])(
    "a page answers HEAD for %s like GET, without the body",
    async (path) => {
      const [get, head] = [await raw(path), await raw(path, {}, "HEAD")];
      expect(head.status).toBe(get.status);
      expect(head.body).toHaveLength(0);
      for (const name of ["content-type", "etag", "cache-control", "vary"])
        expect(head.headers[name]).toBe(get.headers[name]);
    },
  );

  test("a page is not sent again if it is unchanged", async () => {
    const { headers } = await raw("/models");
    const again = await raw("/models", { "if-none-match": String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect((await raw("/", { "if-none-match": String(headers.etag) })).status).toBe(200);
  });

  test("a page says that the visitor is not signed in for requests without a session", async () => {
    const visitor = await raw("/models");
    const user = await raw("/models", { cookie: "session=ses_x; other=1" });
    expect(visitor.body.toString()).toContain('<meta name="session" content="none" />');
    expect(user.body.toString()).not.toContain('name="session"');
    expect(user.body.toString()).toContain('class="served signed-in"');
    expect(user.headers.etag).not.toBe(visitor.headers.etag);
    for (const { headers } of [visitor, user])
      expect([headers["cache-control"], headers.vary]).toEqual([
        "private, no-cache",
        expect.stringContaining("cookie"),
      ]);
  });

  test("a page is compressed if the client accepts it", async () => {
    const { headers, body } = await raw("/docs/quickstart", { "accept-encoding": "br" });
    expect(headers["content-encoding"]).toBe("br");
    expect(headers.vary).toMatch(/cookie.*accept-encoding/);
    expect(brotliDecompressSync(body).toString()).toContain("Text of /docs/quickstart");
  });

  test.each([
    ["upwards", "/../../etc/passwd"],
    ["upwards, encoded", "/..%2f..%2fetc/passwd"],
    ["upwards in the files", "/assets/..%2fsite.json"],
    ["upwards, encoded twice", "/assets/%252e%252e/site.json"],
    ["backwards", "/assets\\..\\site.json"],
    ["to a NUL", "/docs/quickstart%00"],
    ["with a broken escape", "/docs/%zz"],
    ["to what the server alone reads", "/site.json"],
    ["to the page without its head", "/index.html"],
    ["with two slashes", "//admin/users"],
    ["with a letter case that is not ours", "/DOCS/quickstart"],
    ["with an encoded slash", "/docs%2Fquickstart"],
    ["of ten kilobytes", `/${"a".repeat(10_000)}`],
    ["of ten kilobytes, as a model", `/models/${"a".repeat(5000)}/${"b".repeat(5000)}`],
  ])("a page is not found for a path %s", async (_what, path) => {
    const { status, body } = await raw(path);
    expect([400, 404]).toContain(status);
    expect(body.toString()).not.toContain("root:");
    expect(body.toString()).not.toContain('"routes"');
    expect(body.toString()).not.toContain("<!-- head -->");
  });
});

describe("a file of the build", () => {
  const PATH = "/assets/index-abc.js";

  test.each<[string, string | undefined, (body: Buffer) => string]>([
    ["br, gzip", "br", (body) => brotliDecompressSync(body).toString()],
    ["gzip", "gzip", (body) => gunzipSync(body).toString()],
    ["identity", undefined, String],
  ])(
    "a file of the build is sent in the best encoding that %s allows, and is cached",
    async (accepted, encoding, read) => {
      const { status, headers, body } = await raw(PATH, { "accept-encoding": accepted });
      expect([status, headers["content-encoding"], read(body)]).toEqual([200, encoding, SCRIPT]);
      expect(headers["content-type"]).toContain("javascript");
      expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(headers.vary).toContain("accept-encoding");
      const again = await raw(PATH, { "accept-encoding": accepted, "if-none-match": String(headers.etag) });
      expect(again.status).toBe(304);
    },
  );

  test("a file of the build has a different ETag per encoding", async () => {
    const marks = await Promise.all(
      ["br", "gzip", "identity"].map(
        async (accepted) => (await raw(PATH, { "accept-encoding": accepted })).headers.etag,
      ),
    );
    expect(new Set(marks).size).toBe(3);
  });

  test("a file of the build supports range requests", async () => {
    const { status, headers, body } = await raw(PATH, { range: "bytes=0-9" });
    expect([status, headers["content-range"], body.toString()]).toEqual([
      206,
      `bytes 0-9/${SCRIPT.length}`,
      SCRIPT.slice(0, 10),
    ]);
  });

  test("a file of the build is served as an archive for npm, and revalidated by its ETag", async () => {
    const { status, headers, body } = await raw("/cli.tgz");
    expect([status, headers["content-type"], headers["content-encoding"]]).toEqual([
      200,
      "application/gzip",
      undefined,
    ]);
    expect(body.equals(ARCHIVE)).toBe(true);
    expect(headers["cache-control"]).toBe("no-cache");
    expect((await raw("/cli.tgz", { "if-none-match": String(headers.etag) })).status).toBe(304);
  });

  test("a file of the build is not found under its compressed file name", async () => {
    expect((await raw(`${PATH}.br`)).status).toBe(404);
  });
});
