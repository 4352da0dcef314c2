import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Feather } from "@feather/sdk";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { type Platform, startPlatform } from "../support/platform.ts";
import { fetchModel, HUB_FOLDER } from "./fetch-model.ts";
import { readEngineMemory } from "./process-memory.ts";
import { REAL_MODELS } from "./real-models.ts";

/** How far the estimated memory of a model may be off what its process takes. */
const MAX_DEVIATION = 0.15;
const WAIT_SECONDS = 120;

const dataDir = mkdtempSync(join(tmpdir(), "feather-models-"));
let platform: Platform;
let feather: Feather;
let key: string;

beforeAll(async () => {
  for (const model of REAL_MODELS) await fetchModel(model);
  chmodSync(dataDir, 0o711); // the database runs as another user
  platform = await startPlatform(dataDir, { FEATHER_HUB_DIR: HUB_FOLDER });
  feather = (await signInAsAdmin(platform.baseUrl)).feather;
  key = (await feather.apiKeys.create({ name: "models" })).secret;
});
afterAll(async () => {
  platform.process.kill("SIGTERM");
  await platform.ended;
  rmSync(dataDir, { recursive: true, force: true });
});

/** Calls the OpenAI-compatible API, and waits for a model that is not loaded. */
async function call(path: string, body: object): Promise<unknown> {
  const response = await fetch(`${platform.baseUrl}/api/v1/${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${key}`,
      "x-wait-for-model": String(WAIT_SECONDS),
    },
    body: JSON.stringify({ temperature: 0, max_tokens: 24, ...body }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text);
}

describe.each(REAL_MODELS.map((model) => [model.id, model] as const))("%s", (id, { file, isChat }) => {
  test("is downloaded from the folder, and is in the catalogue with its file", async () => {
    expect(await feather.admin.store.files({ model_id: id })).toMatchObject({ chosen: file, reason: null });
    await feather.admin.store.pulls.create({ model_id: id });
    await waitFor(async () => {
      const { items } = await feather.admin.store.models.list();
      expect(items.map(({ model_id }) => model_id)).toContain(id);
    });
  });

  test("is loaded by the first call, and says something sensible", async () => {
    const answer = isChat
      ? await call("chat/completions", { model: id, messages: [{ role: "user", content: "The capital of France?" }] })
      : await call("completions", { model: id, prompt: "Paris is the capital of France. Rome is the capital of" });
    expect(JSON.stringify(answer)).toMatch(isChat ? /Paris/ : /Italy/);
  });

  test("takes as much memory as is reserved for it, within 15 %", async () => {
    const { models } = await feather.admin.modelHost.get();
    const reserved = models.find(({ model_id }) => model_id === id)?.memory_bytes ?? 0;
    const taken = readEngineMemory(id);
    const deviation = (reserved - taken) / taken;
    console.info(`${id}: ${toMegabytes(reserved)} MB reserved, ${toMegabytes(taken)} MB taken`);
    expect(Math.abs(deviation), `reserved ${reserved} bytes, taken ${taken}`).toBeLessThanOrEqual(MAX_DEVIATION);
  });
});

const toMegabytes = (bytes: number) => Math.round(bytes / 1e6);
