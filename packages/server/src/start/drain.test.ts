import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createServer } from "../server.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";
import { drain } from "./drain.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_SHUTDOWN_DELAY: "600" } });
});
afterAll(() => server.close());

test("a stopping server is not ready at once, and accepts requests until the shutdown delay is over", async () => {
  const app = await createServer(server.platform);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const statusOf = async (path: string) => (await fetch(address + path)).status;
  expect(await statusOf("/api/health/ready")).toBe(200);
  const forced = new AbortController();
  const drained = drain(app, server.platform, forced.signal);
  expect([await statusOf("/api/health/ready"), await statusOf("/api/health/live")]).toEqual([503, 200]);
  forced.abort();
  await drained;
  await expect(fetch(address)).rejects.toThrow();
});
