import { spawnSync } from "node:child_process";
import type { Feather } from "@feather/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEnvironment, MODEL, type ReliabilityEnvironment } from "./environment.ts";

/** Ends a test that hangs. A busy machine takes half a minute for each kill and restart. */
const HANG_LIMIT_MS = 1_200_000;
const KILLS = 4;
const GRANTED = 10_000_000_000n;
const PRICE = 1_000_000n; // nano-USD for a request, the only thing that costs here
/** Rows are durable within 100 ms of the end of an answer; the rest is room for a machine that does other things too. */
const SETTLED_MS = 5_000;
/** Receipts that are at least looked for after a kill. */
const ENOUGH = 5;

let environment: ReliabilityEnvironment;
beforeAll(async () => {
  environment = await createEnvironment();
  const { id } = await environment.client().auth.me();
  await environment.client().admin.users.update(id, { plan_id: "feather_request_pricing" });
  await environment.client().admin.users.grantCredits(id, { amount_nano_usd: String(GRANTED), reason: "Test" });
  await environment.client().admin.prices.create(MODEL, { prompt: "0", completion: "0", request: "0.001" });
});
afterAll(() => environment?.close());

async function call(feather: Feather, stream: boolean, ended: (id: string) => void): Promise<void> {
  for (;;) {
    const messages = [{ role: "user" as const, content: "Well?" }];
    if (stream) await (await feather.chat.completions.create({ model: MODEL, messages, stream: true })).text();
    else {
      const { response } = await feather.chat.completions.create({ model: MODEL, messages }).withResponse();
      ended(response.headers.get("request-id") ?? "");
    }
  }
}

/** The command for operators, while the server runs. */
function verifyLedger() {
  const env = { ...process.env, FEATHER_DATA_DIR: environment.folder };
  const { status, stdout } = spawnSync(process.execPath, ["packages/server/src/commands/verify-ledger.ts"], { env });
  return { status, said: stdout.toString() };
}

test(
  `${KILLS} kills under metered load neither charge wrongly nor leave credits reserved`,
  async () => {
    const answered: { id: string; endedAt: number }[] = [];
    let settled = 0;
    for (let round = 0; round < KILLS; round++) {
      const feather = environment.client();
      const load = Array.from({ length: 8 }, (_, index) =>
        call(feather, index > 3, (id) => answered.push({ id, endedAt: Date.now() })).catch(() => {}),
      );
      const old = () => answered.filter(({ endedAt }) => Date.now() - endedAt > SETTLED_MS).length;
      await expect.poll(old, { interval: 97 }).toBeGreaterThan(ENOUGH);
      const killedAt = Date.now();
      await environment.kill();
      await Promise.all(load);
      await environment.start();

      for (const { id } of answered.splice(0).filter(({ endedAt }) => killedAt - endedAt > SETTLED_MS)) {
        expect(
          (await environment.client().usage.requests.get(id)).cost_nano_usd,
          `receipt ${id} of round ${round}`,
        ).toBe(`${PRICE}`);
        settled += 1;
      }
      expect(verifyLedger()).toEqual({ status: 0, said: "The ledger adds up.\n" });
    }
    const reserved = async () => (await environment.client().credits.balance()).reserved_nano_usd;
    await expect.poll(reserved, { interval: 500 }).toBe("0");

    const { balance_nano_usd, transactions } = await environment.client().usage.credits();
    const requests = transactions.pagination.total_items - 1; // all but the grant
    expect(BigInt(balance_nano_usd)).toBe(GRANTED - PRICE * BigInt(requests));
    expect(requests).toBeGreaterThanOrEqual(settled);
    expect(settled).toBeGreaterThan(KILLS * ENOUGH);
  },
  HANG_LIMIT_MS,
);
