import { once } from "node:events";
import { request } from "node:http";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Handlers } from "./platform/core/http/handlers.ts";
import { isModelId } from "./platform/core/models/model-ids.ts";
import { createServer } from "./server.ts";
import { isAdminOnly, OPERATIONS, rowsOf, toPath, type WalkedOperation } from "./testing/contract-walk.ts";
import { inject } from "./testing/inject.ts";
import { type Account, createTestServer, type TestServer } from "./testing/server.ts";

let server: TestServer;
let user: Account;
let admin: Account;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.signInAdmin("the.admin@example.com");
  user = await server.signUp();
});
afterAll(() => server.close());

type Raw = { status: number; text: string; type: string };

/** Sends a request with the path exactly as given; `fetch` would normalize it. */
async function raw(path: string, token?: string, method = "GET", headers: Record<string, string> = {}): Promise<Raw> {
  const { hostname, port } = new URL(server.url);
  const sent = request({
    hostname,
    port,
    path,
    method,
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  });
  sent.end();
  const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
  let text = "";
  for await (const part of response.setEncoding("utf8") as AsyncIterable<string>) text += part;
  return { status: response.statusCode ?? 0, text, type: response.headers["content-type"] ?? "" };
}

describe("the admin area", () => {
  const forms: [string, (path: string) => string][] = [
    ["as it is", (path) => path],
    ["with a slash behind", (path) => `${path}/`],
    ["with two slashes in front", (path) => `/${path}`],
    ["with two slashes within", (path) => path.replace("/admin", "//admin")],
    ["with an encoded slash", (path) => path.replace("/admin/", "/admin%2F")],
    ["with an encoded slash in front", (path) => path.replace("/api/", "/api%2f")],
    ["in capitals", (path) => path.replace("/admin", "/ADMIN")],
    ["with the API in capitals", (path) => path.replace("/api", "/API")],
    ["with a letter encoded", (path) => path.replace("/admin", "/%61dmin")],
    ["with a letter encoded twice", (path) => path.replace("/admin", "/%2561dmin")],
    ["with a dot segment", (path) => path.replace("/admin", "/./admin")],
    ["with an encoded dot segment", (path) => path.replace("/admin", "/%2e/admin")],
    ["through another folder", (path) => path.replace("/admin", "/feather/../admin")],
    ["through another folder, encoded", (path) => path.replace("/admin", "/feather/%2e%2e/admin")],
    ["with a dot behind", (path) => `${path}.`],
    ["with a dot segment behind", (path) => `${path}/.`],
    ["with a backslash", (path) => path.replace("/admin", "\\admin")],
    ["with an encoded backslash", (path) => path.replace("/admin", "%5Cadmin")],
    ["with NUL behind", (path) => `${path}%00`],
    ["with a parameter in the path", (path) => path.replace("/admin", "/admin;v=1")],
    ["with an ending", (path) => `${path}.json`],
    ["with a space behind", (path) => `${path}%20`],
    ["with a fragment", (path) => `${path}%23`],
    ["as a whole address", (path) => `http://127.0.0.1${path}`],
    ["below /v1", (path) => path.replace("/api", "/v1")],
    ["without /api", (path) => path.replace("/api", "")],
    ["with full-width letters", (path) => path.replace("/admin", `/${encodeURIComponent("ａｄｍｉｎ")}`)],
  ];
  const reads = OPERATIONS.filter((operation) => isAdminOnly(operation) && operation.method === "GET");

  test.each(forms)("the admin area is hidden from users and visitors, %s", async (_form, write) => {
    for (const operation of reads)
      for (const token of [user.token, undefined]) {
        const answer = await raw(write(toPath(operation)), token);
        expect([operation.operationId, [400, 401, 404].includes(answer.status), answer.status]).toEqual([
          operation.operationId,
          true,
          answer.status,
        ]);
        expect(answer.text).not.toContain(admin.email);
      }
  });

  test.each(["HEAD", "OPTIONS", "TRACE", "PROPFIND"])("the admin area is hidden from users with %s", async (method) => {
    for (const operation of reads) {
      const answer = await raw(toPath(operation), user.token, method);
      expect([operation.operationId, answer.status >= 400 && answer.status < 500]).toEqual([
        operation.operationId,
        true,
      ]);
    }
  });

  test("the admin area is available to admins", async () => {
    expect((await raw("/api/admin/users", admin.token)).text).toContain(admin.email);
  });
});

describe("a method override in a header", () => {
  test.each(["x-http-method-override", "x-http-method", "x-method-override"])(
    "a method override in a header is ignored: %s",
    async (header) => {
      const { id } = await server.createKey(user);
      const answer = await raw(`/api/api-keys/${id}`, user.token, "GET", { [header]: "DELETE" });
      expect([answer.status, (await raw(`/api/api-keys/${id}`, user.token)).status]).toEqual([200, 200]);
      await raw(`/api/api-keys/${id}?_method=DELETE`, user.token);
      expect((await raw(`/api/api-keys/${id}`, user.token)).status).toBe(200);
      await server.call(`/api/api-keys/${id}`, { method: "DELETE", token: user.token });
    },
  );
});

/** Operations whose path has a model id, which contains a slash. */
const ofModels = OPERATIONS.filter(({ pathParameters }) =>
  pathParameters.some(({ example }) => String(example).includes("/")),
);
const modelParameter = ({ pathParameters }: WalkedOperation) =>
  pathParameters.find(({ example }) => String(example).includes("/"))?.name ?? "";
/** Returns the path of the operation with this text, unescaped, in place of the model id. */
const withModel = (operation: WalkedOperation, text: string) =>
  toPath(operation, { [modelParameter(operation)]: "MODEL" }).replace("MODEL", text);
const tokenFor = (operation: WalkedOperation) => (isAdminOnly(operation) ? admin : user).token;

describe("a model id in a path", () => {
  test("a model id is part of the path of the model operations", () => {
    expect(ofModels.length).toBeGreaterThan(15);
  });

  test.each(rowsOf(ofModels))(
    "a model id in a path works with a plain or encoded slash: %s",
    async (_id, operation) => {
      const answers = [];
      for (const spelling of ["feather/nothing-here", "feather%2Fnothing-here", "feather%2fnothing-here"]) {
        const { status, text } = await raw(withModel(operation, spelling), tokenFor(operation), operation.method);
        answers.push(`${status} ${text.replaceAll(/req_\w+/g, "")}`);
      }
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).not.toContain("There is no such call");
    },
  );

  const hostile = [
    "..%2f..%2fetc%2fpasswd",
    "../../etc/passwd",
    "%2e%2e/%2e%2e",
    "%252e%252e%252fetc%252fpasswd",
    "owner/..",
    "owner/.",
    "owner\\name",
    "owner%5Cname",
    "owner/name%00",
    "%00",
    "owner//name",
    "owner/name.",
    "owner/na%20me",
    "owner/%E0%80%AE",
    "owner/%C0%AE%C0%AE",
    "owner/%FF",
    "CON/NUL",
    "owner/na;me",
    "owner/name%0d%0aset-cookie:x=1",
    `owner/${"a".repeat(10_000)}`,
    encodeURIComponent("оwner/ｎame"),
    "%",
    "%zz",
    "owner/{{7*7}}",
    "-/-",
    ".hidden/file",
    "__proto__/constructor",
  ];

  test.each(rowsOf(ofModels))("a malformed model id in a path is rejected: %s", async (_id, operation) => {
    for (const id of hostile) {
      const answer = await raw(withModel(operation, id), tokenFor(operation), operation.method);
      // The plan may have no such models. For an id that could be a model's, the hub may have to be asked.
      const fits = [400, 403, 404, 414, 431, ...(isModelId(id) ? [503] : [])].includes(answer.status);
      expect([id.slice(0, 40), answer.status, fits]).toEqual([id.slice(0, 40), answer.status, true]);
      expect(answer.text).not.toContain("root:x:");
    }
  });
});

describe("development endpoints", () => {
  const surfaces = [
    ...["/debug", "/debug/vars", "/debug/pprof", "/debug/chat-format", "/__debug", "/_debugbar", "/server-status"],
    ...["/actuator", "/actuator/env", "/actuator/heapdump", "/metrics/json", "/phpinfo.php", "/console", "/trace.axd"],
    ...["/.env", "/.env.local", "/.git/config", "/.git/HEAD", "/.npmrc", "/package.json", "/feather.config.yaml"],
    ...["/src/main.ts", "/packages/server/src/main.ts", "/node_modules/fastify/package.json", "/dist/main.js.map"],
    ...["/assets/index.js.map", "/swagger", "/swagger.json", "/graphql", "/docs/openapi", "/api/docs", "/api/debug"],
    ...["/api/metrics", "/api/__routes", "/api/v1/models/feather/demo/debug/chat-format", "/v1/debug", "/api/env"],
    ...["/api/config/secret", "/admin/sentry-example-page", "/api/admin/sentry-example", "/api/test", "/api/eval"],
  ];

  test.each(surfaces)("development endpoints do not exist: %s", async (path) => {
    for (const token of [undefined, user.token, admin.token]) {
      const answer = await raw(path, token);
      // For a path that a person may open, the site's page is returned, which says that nothing was found.
      const isPage = answer.status === 200 && answer.type.startsWith("text/html");
      expect([path, isPage || answer.status === 404]).toEqual([path, true]);
    }
  });

  test("errors leak neither cause nor stack", async () => {
    const app = await faulty();
    for (const operation of OPERATIONS) {
      const headers = { authorization: `Bearer ${tokenFor(operation)}` };
      const response = await inject(app, {
        method: operation.method as "GET",
        url: toPath(operation),
        headers,
        ...(operation.body && { payload: operation.body.example }),
      });
      expect(response.body).not.toMatch(/secret-of-the-inside|\bat .*\.ts|node_modules|\/src\//);
      if (response.statusCode === 500) expect(response.body).toContain("Something went wrong on the server");
    }
    await app.close();
  });

  test("the headers of a response do not reveal the software of the server", async () => {
    const response = await server.send("/api/health/live");
    for (const name of ["server", "x-powered-by", "x-aspnet-version", "x-debug-token", "x-runtime"])
      expect(response.headers.get(name)).toBeNull();
  });
});

/** Creates a server whose handlers all fail with an unexpected error. */
function faulty(): Promise<FastifyInstance> {
  const fail = async () => {
    throw new Error("secret-of-the-inside: relation users does not exist");
  };
  const handlers = Object.fromEntries(OPERATIONS.map(({ operationId }) => [operationId, fail])) as Handlers;
  return createServer(server.platform, handlers);
}
