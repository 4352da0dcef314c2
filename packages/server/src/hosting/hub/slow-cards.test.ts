import { startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer } from "../../testing/server.ts";
import { README_NOT_SHOWN } from "./read-card.ts";

const PARSER = { file: new URL("../../testing/parsers/hanging-parser.ts", import.meta.url), timeLimitMs: 1_000 };
const CONFIG = JSON.stringify({ architectures: ["Qwen3ForCausalLM"], model_type: "qwen3", hidden_size: 4096 });

let hub: Awaited<ReturnType<typeof startFakeHub>>;
let server: Awaited<ReturnType<typeof createTestServer>>;
beforeAll(async () => {
  const files = { "README.md": "# A model", "config.json": CONFIG, "model.safetensors": { size: 5_000 } };
  hub = await startFakeHub([
    { id: "acme/slow", files },
    { id: "acme/slower", files: { ...files, "README.md": "# Another model" } },
  ]);
  server = await createTestServer({
    env: { FEATHER_HUB_URL: hub.baseUrl },
    cardParser: PARSER,
  });
});
afterAll(async () => {
  await server.close();
  await hub.close();
});

/** Requests the health of the server until `work` is done. Returns the milliseconds that each response took. */
async function watchHealth(work: Promise<unknown>): Promise<number[]> {
  const progress = { isDone: false };
  const done = work.finally(() => {
    progress.isDone = true;
  });
  const times: number[] = [];
  while (!progress.isDone) times.push(await timeHealth());
  await done;
  return times;
}

async function timeHealth(): Promise<number> {
  const before = performance.now();
  expect((await server.call("/api/health/live")).status).toBe(200);
  return performance.now() - before;
}

const medianOf = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

test("health is answered within 100 ms, or as fast as without it, while a model card is parsed without end", async () => {
  const { token } = await server.signUp();
  const idleTimes: number[] = [];
  for (let count = 0; count < 20; count += 1) idleTimes.push(await timeHealth());
  const times = await watchHealth(server.call("/api/feather/models/acme/slow", { token, body: {} }));
  expect(times.length).toBeGreaterThan(5);
  expect(medianOf(times)).toBeLessThan(Math.max(100, 5 * medianOf(idleTimes)));
});

test("a model whose card is given up is imported with a sentence instead of its readme, and is not parsed again", async () => {
  const admin = await server.signInAdmin();
  const body = { ids: ["acme/slower"], model_class: "qwen3-8b" };
  for (let round = 0; round < 2; round++)
    expect(await server.call("/api/admin/models/import", { token: admin.token, body })).toMatchObject({ status: 200 });
  const { body: model } = await server.call("/api/feather/models/acme/slower", { token: admin.token });
  expect(model).toMatchObject({ readme: expect.stringContaining(README_NOT_SHOWN), description: "" });
});

test("an administrator's readme that cannot be parsed in time is refused", async () => {
  const admin = await server.signInAdmin();
  const body = { id: "acme/own", model_class: "qwen3-8b", readme: "# Long" };
  const answer = await server.call("/api/admin/models", { token: admin.token, body });
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining("readme is too long") } });
});
