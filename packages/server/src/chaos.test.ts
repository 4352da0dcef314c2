import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyLedger } from "./money/ledger/verify-ledger.ts";
import { verifyAudit } from "./platform/audit/audit-verification.ts";
import { type BillingServer, createBillingServer } from "./testing/billing.ts";
import { CHAOS_CALLS } from "./testing/chaos/calls.ts";
import { type ChaosContext, createChaosContext } from "./testing/chaos/context.ts";
import { createFakeEngines } from "./testing/fake-engines.ts";

/** `npm test` makes a fixed number of calls. With `FEATHER_CHAOS_SECONDS=90` the test makes calls for that long instead. */
const SECONDS = Number(process.env.FEATHER_CHAOS_SECONDS ?? 0);
const SEED = Number(process.env.FEATHER_CHAOS_SEED ?? 7);
const CALLS = 700;
const AT_ONCE = 16;
const PEOPLE = 14;
const ADMINS = 4;
const MODEL_BYTES = 1024 * 1024;

let server: BillingServer;
let world: ChaosContext;
const engines = createFakeEngines();

beforeAll(async () => {
  const limits = { FEATHER_MODEL_MEMORY: "50000", FEATHER_RATE_LIMITS: "off" };
  server = await createBillingServer(new Date().toISOString(), limits, {
    startEngine: engines.start,
    maxConnections: AT_ONCE,
  });
  server.api.modelHost.host.register({
    id: "feather/demo",
    file: "/demo.gguf",
    fileName: "demo.gguf",
    size: MODEL_BYTES,
    contextLength: 2048,
    bytesPerToken: 1024,
  });
  world = createChaosContext(server, SEED);
  for (let index = 0; index < PEOPLE + ADMINS; index++) {
    const who = await server.createBuyer();
    (index < PEOPLE ? world.people : world.admins).push(who);
  }
  const adminIds = world.admins.map(({ userId }) => userId);
  await server.db.updateTable("users").set({ is_admin: true }).where("id", "in", adminIds).execute();
  for (const code of ["CHAOS1", "CHAOS2"])
    await server.db.insertInto("coupons").values({ code, percent_off: "10", duration: "forever" }).execute();
});
afterAll(async () => {
  await server.close();
  engines.close();
});

test("defines at least 38 kinds of calls", () => {
  expect(Object.keys(CHAOS_CALLS).length).toBeGreaterThanOrEqual(38);
});

test(
  "the server returns no 5xx for 16 concurrent random calls, and keeps ledger and audit log consistent",
  async () => {
    const names = Object.keys(CHAOS_CALLS);
    const until = Date.now() + SECONDS * 1000;
    let made = 0;
    const goesOn = () => (SECONDS > 0 ? Date.now() < until : made < CALLS);
    const one = async () => {
      while (goesOn()) {
        // Makes each kind of call once first, then random ones.
        const name = names[made++] ?? world.pick(names) ?? "";
        await CHAOS_CALLS[name]?.(world);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    const statuses = [...world.statuses].sort();
    if (SECONDS > 0) console.info(`${made} acts in ${SECONDS} s, seed ${SEED}: ${JSON.stringify(statuses)}`);
    expect(world.failures).toEqual([]);
    expect(await verifyLedger(server.db)).toEqual([]);
    expect(await verifyAudit(server.db)).toMatchObject({ isValid: true });
    await server.verifyBooks();
  },
  (SECONDS + 120) * 1000,
);
