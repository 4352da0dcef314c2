import { monitorEventLoopDelay } from "node:perf_hooks";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing/server.ts";

const FORM = "application/x-www-form-urlencoded";
const MAX_BLOCKED_MS = 100;
/** A busy machine delays the event loop as well, but hardly at every attempt. */
const ATTEMPTS = 5;
const NS_PER_MS = 1_000_000;

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

type Attack = { path: string; body: string | Buffer<ArrayBuffer>; headers: Record<string, string>; status: number };

const form = (fields: number) => Array.from({ length: fields }, (_, index) => `f${index}=`).join("&");
const json = (fields: number) => `{${Array.from({ length: fields }, (_, index) => `"f${index}":0`).join(",")}}`;
const zipped = (text: string) => Buffer.from(gzipSync(text));

/** The longest time in milliseconds for which the server did nothing else while it handled a request. */
async function blockedBy({ path, body, headers, status }: Attack): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const attack = fetch(server.url + path, { method: "POST", headers, body });
  const health = await fetch(`${server.url}/api/health/live`);
  expect(health.status).toBe(200);
  expect((await attack).status).toBe(status);
  await new Promise((resolve) => setImmediate(resolve));
  delay.disable();
  return delay.max / NS_PER_MS;
}

async function shortestBlockedBy(attack: Attack): Promise<number> {
  const seen: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    seen.push(await blockedBy(attack));
    if (Math.min(...seen) < MAX_BLOCKED_MS) break;
  }
  return Math.min(...seen);
}

describe("an anonymous request", () => {
  const formPaths = ["/api/oauth/token", "/api/oauth/revoke", "/api/oauth/device", "/api/test-payments/none"];
  const jsonPaths = ["/api/auth/login", "/api/auth/state", "/api/auth/register"];
  test.each<[string, Attack]>([
    ...formPaths.map((path): [string, Attack] => [
      `${path} with a form of 7,000 fields`,
      { path, body: form(7_000), headers: { "content-type": FORM }, status: 400 },
    ]),
    ...formPaths.map((path): [string, Attack] => [
      `${path} with a form of 40,000 fields`,
      { path, body: form(40_000), headers: { "content-type": FORM }, status: 413 },
    ]),
    ...formPaths.map((path): [string, Attack] => [
      `${path} with a compressed form of 40,000 fields`,
      {
        path,
        body: zipped(form(40_000)),
        headers: { "content-type": FORM, "content-encoding": "gzip" },
        status: 415,
      },
    ]),
    ...jsonPaths.map((path): [string, Attack] => [
      `${path} with 5,000 unknown properties`,
      { path, body: json(5_000), headers: { "content-type": "application/json" }, status: 400 },
    ]),
    ...jsonPaths.map((path): [string, Attack] => [
      `${path} with a compressed body of 1.2 million unknown properties`,
      {
        path,
        body: zipped(json(1_200_000)),
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
        status: 415,
      },
    ]),
  ])("%s does not block the server", async (_what, attack) => {
    expect(await shortestBlockedBy(attack)).toBeLessThan(MAX_BLOCKED_MS);
  });
});
