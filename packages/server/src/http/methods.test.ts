import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing/server.ts";
import { type TestSite, writeTestSite } from "../testing/site.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

function send(
  method: string,
  path: string,
  { url }: TestServer = server,
): Promise<{ status: number | undefined; allow: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url);
    request({ host: "127.0.0.1", port, path, method }, (response) => {
      let text = "";
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode, allow: response.headers.allow, text }));
    })
      .on("error", reject)
      .end();
  });
}

test.each([
  ["/api/v1/models?page=1", "GET, HEAD"],
  ["/api/v1/models/feather/demo", "GET, HEAD"],
  ["/api/api-keys/key_1", "GET, HEAD, PUT, DELETE"],
  ["/api/auth/login", "POST"],
  ["/api/account/concurrency/stream", "GET, HEAD"],
  ["/api/account/concurrency/req_1", "DELETE"],
  ["/models", "GET, HEAD"],
])("QUERY of %s returns 405 with the methods of that path", async (path, methods) => {
  const { status, allow } = await send("QUERY", path);
  expect([status, allow]).toEqual([405, methods]);
});

test.each([
  ["GET", "/v1/chat/completions", "POST"],
  ["POST", "/v1/models", "GET, HEAD"],
  ["DELETE", "/api/v1/messages", "POST"],
  ["GET", "/api/deployments/a/v1/chat/completions", "POST"],
])("%s of %s returns 405 with the methods of that path", async (method, path, methods) => {
  const { status, allow } = await send(method, path);
  expect([status, allow]).toEqual([405, methods]);
});

test.each(["PUT", "DELETE"])("%s of a call about a model whose id has no name returns 404", async (method) => {
  const { status, allow } = await send(method, "/api/feather/models/qwen/favorite");
  expect([status, allow]).toEqual([404, undefined]);
});

/** The path with `{long}` as a part that is longer than that of any call. */
const lengthen = (path: string) => path.replace("{long}", "a".repeat(600));

test.each([
  ["GET", "/api/deployments/{long}/files/1/model.gguf"],
  ["PUT", "/api/feather/models/{long}/favorite"],
])("%s of %s, with a part that is longer than that of any call, returns 414", async (method, path) => {
  const { status, allow } = await send(method, lengthen(path));
  expect([status, allow]).toEqual([414, undefined]);
});

describe("with the site, whose pages may have any address", () => {
  let site: TestSite;
  let withSite: TestServer;
  beforeAll(async () => {
    site = writeTestSite();
    withSite = await createTestServer({ siteFolder: site.folder });
  });
  afterAll(async () => {
    await withSite.close();
    site.remove();
  });

  test.each(["/api/deployments/{long}/files/1/model.gguf", "/api/feather/models/{long}", "/api/api-keys/{long}"])(
    "GET of %s, with a part that is longer than that of any call, is not refused as a wrong method",
    async (path) => {
      const { status, allow } = await send("GET", lengthen(path), withSite);
      expect([status, allow]).toEqual([404, undefined]);
    },
  );
});

test("GET of an admin's call that is no GET returns 404", async () => {
  expect(await send("GET", "/api/admin/reviews/rev_1")).toMatchObject({ status: 404, allow: undefined });
});

test("a whole address in the request line is the same call", async () => {
  const { status, text } = await send("GET", `${server.url}/v1/models?page=1&per_page=1`);
  expect([status, JSON.parse(text)]).toMatchObject([200, { object: "list", data: [{ object: "model" }] }]);
});

test("a whole address with a foreign host is refused as one in the header is", async () => {
  expect(await send("GET", "http://evil.example/v1/models")).toMatchObject({ status: 421 });
});

test.each([
  ["GET", "/v1/v1/models", "/v1/models"],
  ["POST", "/v1/v1/chat/completions", "/v1/chat/completions"],
  ["POST", "//v1/responses", "/v1/responses"],
  ["GET", "//v1/models", "/v1/models"],
  ["POST", "/v1//chat/completions", "/v1/chat/completions"],
])("the error for %s of %s names the path that was meant", async (method, path, meant) => {
  const { status, text } = await send(method, path);
  expect([status, JSON.parse(text)]).toMatchObject([
    404,
    { error: { message: expect.stringContaining(`was ${meant} meant`) } },
  ]);
});

test.each(["/v1/v1/messages", "//v1/messages", "/v1//messages"])(
  "POST of %s answers in Anthropic's form",
  async (path) => {
    const { status, text } = await send("POST", path);
    expect([status, JSON.parse(text)]).toMatchObject([404, { type: "error", error: { type: "not_found_error" } }]);
  },
);

test("QUERY of a call that does not exist returns 404", async () => {
  expect(await send("QUERY", "/api/nothing")).toMatchObject({ status: 404, allow: undefined });
});

test.each(["a%2Fb", "%00", "%zz", "..", "%C3%A9", "x".repeat(300), "x".repeat(600)])(
  "a call to the deployment %s is refused in OpenAI's envelope",
  async (id) => {
    const { status, text } = await send("GET", `/api/deployments/${id}/v1/models`);
    expect([400, 401, 404, 414]).toContain(status);
    expect(JSON.parse(text)).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
  },
);
