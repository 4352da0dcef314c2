import { request } from "node:http";
import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing/server.ts";

type Answer = { status: number | undefined; body: string };

/** `fetch` does not let a caller choose the Host header. */
function get(url: string, host: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host } }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode, body }));
    });
    sent.on("error", reject).end();
  });
}

describe("a server that listens on loopback only", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await createTestServer({
      env: { FEATHER_HOST: "127.0.0.1", FEATHER_PUBLIC_URL: "https://llm.example.com" },
    });
  });
  afterAll(() => server.close());

  test.each([
    "localhost",
    "LOCALHOST:4000",
    "feather.localhost:4000",
    "127.0.0.1:4000",
    "127.8.9.10",
    "[::1]:4000",
    "llm.example.com",
    "llm.example.com:443",
  ])("a server that listens on loopback only accepts a request for %s", async (host) => {
    expect((await get(`${server.url}/api/health/live`, host)).status).toBe(200);
  });

  test.each([
    "evil.example",
    "evil.example:4000",
    "localhost.evil.example",
    "llm.example.com.evil.example",
    "192.168.0.10:4000",
    "evil@localhost",
    "localhost#evil",
  ])("a server that listens on loopback only rejects a request for %j", async (host) => {
    const answer = await get(`${server.url}/api/health/live`, host);
    expect(answer.status).toBe(421);
    expect(errorCode(JSON.parse(answer.body))).toBe("misdirected_request");
    expect(answer.body).toContain("FEATHER_PUBLIC_URL");
  });

  test("a server that listens on loopback only rejects a foreign host for pages as well", async () => {
    expect((await get(`${server.url}/login`, "evil.example")).status).toBe(421);
  });
});

test("a server that listens on all addresses accepts requests for any host", async () => {
  const server = await createTestServer({
    env: { FEATHER_HOST: "0.0.0.0", FEATHER_PUBLIC_URL: "https://llm.example.com" },
  });
  expect((await get(`${server.url}/api/health/live`, "10.0.0.4:4000")).status).toBe(200);
  await server.close();
});
