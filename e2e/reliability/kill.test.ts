import type { Feather } from "@feather/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEnvironment, MODEL, type ReliabilityEnvironment } from "./environment.ts";

/** Ends a test that hangs. A busy machine takes half a minute for each kill and restart. */
const HANG_LIMIT_MS = 1_200_000;
const KILLS = 5;
/** Usage rows are durable within 100 ms of the end of an answer; the rest is room for a busy machine. */
const SETTLED_MS = 1_000;
/** The number of answers that are received before the kill, at least. */
const ENOUGH = 5;
const UNITS = 8; // of the first admin's plan

let environment: ReliabilityEnvironment;
beforeAll(async () => {
  environment = await createEnvironment();
});
afterAll(() => environment?.close());

/** What the server said yes to. */
type Acknowledged = {
  /** Names of keys by id; null for those that were deleted. */
  keys: Map<string, string | null>;
  receipts: { id: string; endedAt: number }[];
};

/** Makes keys, renames and deletes them, one step after the other until the server is gone. */
async function changeKeys(feather: Feather, said: Acknowledged): Promise<void> {
  for (let turn = 0; ; turn++) {
    const { id } = await feather.apiKeys.create({ name: `made ${turn}` });
    said.keys.set(id, `made ${turn}`);
    await feather.apiKeys.update(id, { name: `renamed ${turn}` });
    said.keys.set(id, `renamed ${turn}`);
    // One in two stays, so that both are looked for.
    if (turn % 2 === 0) continue;
    await feather.apiKeys.delete(id);
    said.keys.set(id, null);
  }
}

async function chat(feather: Feather, said: Acknowledged): Promise<void> {
  for (;;) {
    const { response } = await feather.chat.completions
      .create({ model: MODEL, messages: [{ role: "user", content: "Well?" }] })
      .withResponse();
    said.receipts.push({ id: response.headers.get("request-id") ?? "", endedAt: Date.now() });
  }
}

async function listen(feather: Feather): Promise<void> {
  for (;;) {
    const stream = await feather.chat.completions.create({
      model: MODEL,
      messages: [{ role: "user", content: "Tell me more." }],
      stream: true,
    });
    await stream.text();
  }
}

/** Units that are in use, by what the server says. */
const unitsInUse = async (feather: Feather) => (await feather.concurrency.get()).used_cost;

test(
  `${KILLS} kills under load lose no acknowledged data, leak no units and do not prevent a restart`,
  async () => {
    let looked = 0;
    for (let round = 0; round < KILLS; round++) {
      const said: Acknowledged = { keys: new Map(), receipts: [] };
      const feather = environment.client();
      const load = [
        changeKeys(feather, said),
        changeKeys(feather, said),
        chat(feather, said),
        chat(feather, said),
        ...Array.from({ length: UNITS - 2 }, () => listen(feather)),
      ].map((work) => work.catch(() => {}));
      await new Promise((resolve) => setTimeout(resolve, 300 + 50 * round));
      await expect.poll(() => said.keys.size).toBeGreaterThan(ENOUGH);
      const killedAt = Date.now();
      await environment.kill();
      await Promise.all(load);
      await expect.poll(() => environment.backend.active()).toBe(0);

      await environment.start();
      const after = environment.client();
      expect(await unitsInUse(after)).toBe(0);
      const kept = new Map((await after.apiKeys.list().toArray({ limit: 1000 })).map((key) => [key.id, key.name]));
      for (const [id, name] of said.keys) {
        looked += 1;
        const found = kept.get(id);
        // A step that was on its way when the server died may have been taken as well.
        const next = name?.startsWith("made") ? name.replace("made", "renamed") : undefined;
        const may = name === null ? [undefined] : name.startsWith("made") ? [name, next] : [name, undefined];
        expect(may, `key ${id} of round ${round}`).toContain(found);
      }
      for (const { id } of said.receipts.filter((receipt) => killedAt - receipt.endedAt > SETTLED_MS)) {
        looked += 1;
        expect((await after.usage.requests.get(id)).outcome, `receipt ${id} of round ${round}`).toBe("completed");
      }
      for (const id of kept.keys()) await after.apiKeys.delete(id);
    }
    expect(looked).toBeGreaterThan(KILLS * ENOUGH);
  },
  HANG_LIMIT_MS,
);
