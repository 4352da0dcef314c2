import { Writable } from "node:stream";
import pino from "pino";
import { expect, test } from "vitest";
import { createTestServer } from "../../testing/server.ts";

async function warningsWith(env: Record<string, string>): Promise<number> {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const server = await createTestServer({ env, log: pino({ level: "warn" }, sink) });
  try {
    for (let call = 0; call < 3; call++)
      await server.call("/api/health/live", { headers: { "x-forwarded-for": "203.0.113.7" } });
    return lines.filter((line) => line.includes("FEATHER_TRUSTED_PROXIES")).length;
  } finally {
    await server.close();
  }
}

test("warns once when requests come through an untrusted proxy", async () => {
  expect(await warningsWith({})).toBe(1);
});

test("does not warn when trusted proxies are configured", async () => {
  expect(await warningsWith({ FEATHER_TRUSTED_PROXIES: "loopback" })).toBe(0);
});
