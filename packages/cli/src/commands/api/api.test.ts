import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OPERATIONS } from "@feather/sdk";
import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { streamedResponse } from "@feather/testing/stub";
import { startStubServer } from "@feather/testing/stub-server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunOptions, runCli } from "../../testing/run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-api-"));
let server: Awaited<ReturnType<typeof startStubServer>>;

beforeAll(async () => {
  server = await startStubServer({
    "GET /api-keys": ({ url }) => ({
      body: { ...buildPage([{ id: url.includes("page=2") ? "key_2" : "key_1" }], 2), pagination: { total_pages: 2 } },
    }),
    "GET /auth/me": () => ({ body: { name: "Evil \u001b[2J" } }),
    "GET /feather/stats": () => errorResponse(503, "unavailable", "Back soon."),
    "GET /image": () => ({ headers: { "content-type": "image/png" }, body: "\u0089PNG" }),
    "GET /usage": () => ({ headers: { "content-type": "text/csv" }, body: "a,b\r\n1,\u001b[2J\r\n" }),
    "POST /v1/chat/completions": () => streamedResponse(["Hi"]),
    "POST /api-keys": () => ({ status: 201, body: { id: "key_3" } }),
    "POST /oauth/token": () => ({ body: {} }),
    "DELETE /api-keys/key_1": () => ({ status: 204 }),
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  server.requests.length = 0;
});

const api = (argv: string[], settings: RunOptions = {}) =>
  runCli(
    ["api", ...argv],
    { FEATHER_BASE_URL: server.baseUrl, FEATHER_CONFIG_DIR: folder, FEATHER_API_KEY: "rc_key" },
    settings,
  );

describe("feather api reaches every operation of the contract", () => {
  test.each(Object.entries(OPERATIONS))("%s", async (_, { method, path: template, input }) => {
    const path = template.replace(/\{\w+\}/g, "a%2Fb");
    const field = input === undefined ? [] : ["-f", "name=value"];
    await api([method, path, ...field]);
    const [request] = server.requests;
    const inQuery = method === "GET" && input !== undefined;
    expect([request?.method, request?.url]).toEqual([method, `${path}${inQuery ? "?name=value" : ""}`]);
    if (!inQuery && input !== undefined) {
      expect(request?.body).toEqual({ name: "value" });
      expect(request?.headers["content-type"]).toMatch(input === "form" ? /urlencoded/ : /json/);
    }
  });
});

describe("what feather api sends", () => {
  test("fields extend the query of a GET", async () => {
    await api(["get", "feather/models?page=2", "-f", "search=x y", "-F", "warm=true"]);
    expect(server.requests[0]).toMatchObject({
      url: "/feather/models?page=2&search=x+y&warm=true",
      authorization: "Bearer rc_key",
    });
  });

  test("a path without a method is a GET", async () => {
    await api(["/feather/models", "-f", "search=x"]);
    await api(["feather/stats"]);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /feather/models?search=x",
      "GET /feather/stats",
    ]);
  });

  test("-f is text, -F is typed, and brackets make objects and lists", async () => {
    const file = join(folder, "note.txt");
    writeFileSync(file, "from a file");
    const fields = [
      "-f",
      "name=5",
      "-F",
      "max_concurrency=5",
      "-F",
      "disabled=false",
      "-F",
      "expires_at=null",
      "-F",
      `note=@${file}`,
    ];
    const nested = [
      "-f",
      "scopes[]=api.access",
      "-f",
      "scopes[]=user.read",
      "-F",
      "limits[daily][usd]=1.5",
      "-F",
      "version=007",
    ];
    await api(["POST", "/api-keys", ...fields, ...nested]);
    expect(server.requests[0]?.body).toEqual({
      name: "5",
      max_concurrency: 5,
      disabled: false,
      expires_at: null,
      note: "from a file",
      scopes: ["api.access", "user.read"],
      limits: { daily: { usd: 1.5 } },
      version: "007",
    });
  });

  test("a body comes from a file or stdin, and fields become the query", async () => {
    await api(["POST", "/api-keys", "--input", "-", "-f", "dry=1"], { stdin: '{"name":"piped"}' });
    expect(server.requests[0]).toMatchObject({ url: "/api-keys?dry=1", body: { name: "piped" } });
    await api(["POST", "/api-keys", "-d", '{"name":"said"}']);
    expect(server.requests[1]?.body).toEqual({ name: "said" });
    const file = join(folder, "body.json");
    writeFileSync(file, '{"name":"file"}');
    await api(["POST", "/api-keys", "--input", file, "--no-input"]);
    expect(server.requests[2]?.body).toEqual({ name: "file" });
    await api(["POST", "/api-keys", "-d", `@${file}`]);
    await api(["POST", "/api-keys", "-d", "-"], { stdin: '{"name":"piped"}' });
    expect(server.requests.slice(3).map(({ body }) => body)).toEqual([{ name: "file" }, { name: "piped" }]);
  });

  test("headers of the caller replace those of the program", async () => {
    await api(["GET", "/auth/me", "-H", "x-queue-timeout: 60", "-H", "Authorization: Bearer other"]);
    expect(server.requests[0]).toMatchObject({ authorization: "Bearer other", headers: { "x-queue-timeout": "60" } });
  });
});

describe("what feather api prints", () => {
  test("feather api prints escaped JSON, or the result of jq", async () => {
    const { out } = await api(["GET", "/auth/me"]);
    expect(out).not.toContain("\u001b");
    expect(JSON.parse(out)).toEqual({ name: "Evil \u001b[2J" });
    expect((await api(["GET", "/auth/me", "--jq", ".name"])).out).toBe("Evil \\x1b[2J\n");
  });

  test("feather api -i prints status and headers first", async () => {
    const { out } = await api(["GET", "/auth/me", "-i"]);
    expect(out).toMatch(/^HTTP 200 OK\n(.+\n)*request-id: req_test\n/);
    expect(out.trim().split("\n").at(-1)).toContain('"name"');
  });

  test("feather api prints all pages as one list", async () => {
    expect(JSON.parse((await api(["GET", "/api-keys", "--paginate"])).out).items).toEqual([
      { id: "key_1" },
      { id: "key_2" },
    ]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/api-keys?perPage=100&page=1",
      "/api-keys?perPage=100&page=2",
    ]);
  });

  test("feather api prints events as they arrive, and nothing for an empty body", async () => {
    expect((await api(["POST", "/v1/chat/completions", "-F", "stream=true"])).out).toMatch(
      /^data: \{[\s\S]*data: \[DONE\]\n\n$/,
    );
    expect(await api(["DELETE", "/api-keys/key_1"])).toEqual({ code: 0, out: "", err: "" });
  });

  test("feather api prints text unchanged to a pipe and escaped at a terminal", async () => {
    expect((await api(["GET", "/usage"])).out).toBe("a,b\r\n1,\u001b[2J\r\n");
    expect((await api(["GET", "/usage"], { tty: true })).out).toBe("a,b\n1,\\x1b[2J\n");
  });

  test("feather api prints bytes to a pipe, and an error at a terminal", async () => {
    expect((await api(["GET", "/image"])).out).toBe("\u0089PNG");
    expect(await api(["GET", "/image"], { tty: true })).toMatchObject({ code: 2, out: "" });
  });

  test("feather api prints server errors and exits with their code", async () => {
    const { code, err } = await api(["GET", "/feather/stats"]);
    expect([code, err]).toEqual([9, expect.stringContaining("Back soon.")]);
  });
});

describe("wrong use sends no request", () => {
  test.each([
    [["FETCH", "/auth/me"], "is not a method"],
    [["FETCH"], "is not a method"],
    [["POST"], "POST needs a path"],
    [["delete"], "DELETE needs a path"],
    [["https://other.example/x"], "without the server"],
    [["/x", "-d", "{}"], "has no body"],
    [[], "missing required argument 'method-or-path'"],
    [["GET", "https://other.example/x"], "without the server"],
    [["GET", "//other.example/x"], "without the server"],
    [["POST", "/x", "-f", "novalue"], "is not a field"],
    [["POST", "/x", "-f", "a[=1"], "is not the name of a field"],
    [["POST", "/x", "-f", "__proto__[a]=1"], "is not the name of a field"],
    [["POST", "/x", "-f", "a=1", "-f", "a[]=2"], "as a list and as something else"],
    [["POST", "/x", "-f", "a=1", "-f", "a[b]=2"], "as an object and as something else"],
    [["POST", "/x", "-H", "nonsense"], "is not a header"],
    [["POST", "/x", "--input", "-"], "not valid JSON"],
    [["POST", "/x", "-d", "{"], "not valid JSON"],
    [["POST", "/x", "-d", "{}", "--input", "-"], "exclude each other"],
    [["POST", "/x", "--input", "/nowhere.json"], "no such file"],
    [["GET", "/x", "--input", "-"], "has no body"],
    [["POST", "/x", "--paginate"], "goes with GET only"],
    [["GET", "/x", "--paginate", "-i"], "exclude each other"],
  ])("feather api rejects the arguments %j without a request", async (argv, message) => {
    const { code, out, err } = await api(argv, { stdin: "{" });
    expect([out, err]).toEqual(["", expect.stringContaining(message)]);
    expect(code).toBe(message === "no such file" ? 1 : 2);
    expect(server.requests).toEqual([]);
  });
});
