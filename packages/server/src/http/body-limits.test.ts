import { type Attack, listAnonymousAttacks } from "@feather/testing/attacks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing/server.ts";

/** Many times the time that each of these requests needs, and far below that of a parser with quadratic time. */
const MAX_WORK_MS = 100;
/** Other work of the process, such as garbage collection, is measured too, but rarely in every attempt. */
const ATTEMPTS = 5;
const US_PER_MS = 1_000;

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

/**
 * Returns the processor time in milliseconds that the server's thread spends on a request, including sending it. That is
 * the longest time for which the request can delay others. Unlike elapsed time, it hardly depends on other processes.
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
  test.each(listAnonymousAttacks())("$title does not block the server", async (attack) => {
    expect(await leastWorkOf(attack)).toBeLessThan(MAX_WORK_MS);
  });
});
