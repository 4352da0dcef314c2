import { buildDeployment } from "@feather/testing/builders";
import { describe, expect, test } from "vitest";
import { setupCli } from "../testing/setup-cli.ts";
import { logRequests } from "./request-log.ts";

const KEY = "rc_secret_of_somebody";

/** Sends a request and returns the lines of the log. */
async function send(request: Request, respond: () => Promise<Response>): Promise<readonly string[]> {
  const lines: string[] = [];
  const times = [1000, 1045];
  const fetch = logRequests(
    respond,
    (line) => lines.push(line),
    () => new Date(times.shift() ?? 0),
  );
  await fetch(request).catch(() => {});
  return lines;
}

describe("the log of requests", () => {
  test("the log of requests has method, address, status, request id and duration", async () => {
    const response = new Response("{}", { status: 201, headers: { "request-id": "req_1" } });
    const request = new Request("http://feather.test/api/api-keys?page=2", { method: "POST", body: "{}" });
    expect(await send(request, async () => response)).toEqual([
      "POST http://feather.test/api/api-keys?page=2 201 req_1 in 45 ms",
    ]);
  });

  test("the log of requests says why a request failed", async () => {
    const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    const lines = await send(new Request("http://feather.test/api/x"), () =>
      Promise.reject(new TypeError("", { cause })),
    );
    expect(lines).toEqual(["GET http://feather.test/api/x failed (nothing listens at that address and port) in 45 ms"]);
  });

  test.each([
    ["/api/invitations/inv_canary/accept", "/api/invitations/***/accept"],
    ["/api/x?access_token=canary&page=2", "/api/x?access_token=***&page=2"],
    ["/api/x?page=2&code=canary", "/api/x?page=2&code=***"],
  ])("the log of requests masks the secret in %s", async (path, shown) => {
    const request = new Request(`http://feather.test${path}`, { headers: { authorization: "Bearer canary" } });
    const [line] = await send(request, async () => new Response());
    expect(line).toBe(`GET http://feather.test${shown} 200 in 45 ms`);
  });
});

describe("debugging of HTTP", () => {
  const { run, runInteractive } = setupCli({
    "GET /api-keys": () => ({ body: { items: [], pagination: {} } }),
    "GET /feather/private-cloud/deployments/dep_1": () => ({ body: buildDeployment({ state: "running" }) }),
    "POST /api-keys": () => ({ status: 201, body: { id: "key_1", name: "ci", secret: KEY } }),
  });

  test.each<[string, string, Record<string, string>]>([
    ["--debug after the command", "keys list --debug", {}],
    ["--debug before the command", "--debug keys list", {}],
    ["FEATHER_DEBUG=http", "keys list", { FEATHER_DEBUG: "http" }],
  ])("%s prints requests on stderr and leaves stdout as it is", async (_, line, env) => {
    const { code, out, err } = await run(line, { env: { ...env, FEATHER_API_KEY: KEY } });
    expect([code, out]).toEqual([0, ""]);
    expect(err).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/api\/api-keys\?\S+ 200 req_test in \d+ ms\n/);
    expect(err).not.toContain(KEY);
  });

  test("debugging of HTTP shows neither the secret that is sent nor the one that comes", async () => {
    const { out, err } = await run("keys create ci --debug", { env: { FEATHER_API_KEY: KEY } });
    expect(out).toContain(KEY);
    expect(err).toContain("POST ");
    expect(err).not.toContain(KEY);
  });

  test("debugging of HTTP leaves out requests while something is drawn on the terminal", async () => {
    const countRequests = (text: string) => text.match(/^GET /gm)?.length;
    const line = "deployments wait dep_1 --debug";
    expect(countRequests((await run(line)).err)).toBe(2);
    expect(countRequests((await runInteractive(line)).err)).toBe(1);
  });

  test.each([{}, { FEATHER_DEBUG: "0" }])("debugging of HTTP is off with the environment %j", async (env) => {
    expect((await run("keys list", { env })).err).not.toContain("GET ");
  });
});
