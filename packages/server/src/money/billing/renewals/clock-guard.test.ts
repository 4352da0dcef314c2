import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BillingServer, createBillingServer } from "../../../testing/billing.ts";

let server: BillingServer;
const lines: string[] = [];
let ahead = 0;
beforeAll(async () => {
  const log = pino({ level: "error" }, { write: (line) => void lines.push(line) });
  const databaseNow = async () => new Date(server.clock.at + ahead);
  server = await createBillingServer("2026-01-31T10:00:00Z", {}, { log, databaseNow });
});
afterAll(() => server.close());

test("the renewal job renews nothing and logs an error while the clocks of server and database differ by more than 5 minutes", async () => {
  const who = await server.createBuyer();
  await server.change(who, { plan_id: "feather_basic" });
  ahead = -5 * 60_000 - 1000;
  await server.advanceTo("2026-02-28T10:00:00Z");
  expect(await server.chargedCents(who)).toBe(1000);
  expect(lines.some((line) => line.includes("clocks of server and database differ"))).toBe(true);
  ahead = 5 * 60_000;
  await server.runJobs();
  expect(await server.chargedCents(who)).toBe(2000);
});
