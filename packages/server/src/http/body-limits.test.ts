import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing/server.ts";

const FORM = "application/x-www-form-urlencoded";
/** Many times what each of these requests needs, and far below what a parser with quadratic time would need. */
const MAX_WORK_MS = 100;
/** What else runs in the process, such as collecting garbage, counts too, but hardly at every attempt. */
const ATTEMPTS = 5;
const US_PER_MS = 1_000;

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

type Attack = { path: string; body: string | Buffer<ArrayBuffer>; headers: Record<string, string>; status: number };

const form = (fields: number) => Array.from({ length: fields }, (_, index) => `f${index}=`).join("&");
const json = (fields: number) => `{${Array.from({ length: fields }, (_, index) => `"f${index}":0`).join(",")}}`;
const zipped = (text: string) => Buffer.from(gzipSync(text));

/**
 * The processor time in milliseconds that the server's thread spent on a request, with sending it: the longest for which
 * the request can keep others waiting. Unlike time on a clock, it hardly depends on what else the machine does.
 */
async function workOf({ path, body, headers, status }: Attack): Promise<number> {
  const before = process.threadCpuUsage();
  const attack = fetch(server.url + path, { method: "POST", headers, body });
  const health = await fetch(`${server.url}/api/health/live`);
  expect(health.status).toBe(200);
  expect((await attack).status).toBe(status);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / US_PER_MS;
}

async function leastWorkOf(attack: Attack): Promise<number> {
  const seen: number[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    seen.push(await workOf(attack));
    if (Math.min(...seen) < MAX_WORK_MS) break;
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
    expect(await leastWorkOf(attack)).toBeLessThan(MAX_WORK_MS);
  });
});
