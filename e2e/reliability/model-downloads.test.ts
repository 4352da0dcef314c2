import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFeather, type Feather } from "@feather/sdk";
import { type FakeHub, parseRange, startFakeHub } from "@feather/testing/fake-hub";
import { splitGguf } from "@feather/testing/split-gguf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { type Platform, startPlatform } from "../support/platform.ts";

const ID = "Qwen/Qwen3-0.6B";
const REPOSITORY = `${ID}-GGUF`;
const PARTS = splitGguf(readFileSync("packages/engine/dist/models/demo.gguf"), 6);
const TOTAL = PARTS.reduce((sum, part) => sum + part.length, 0);

let folder: string;
let hub: FakeHub;
let platform: Platform;
/** Bytes that the hub may still send, and those that it was asked for. */
let allowed = 0;
let requested = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-downloads-"));
  chmodSync(folder, 0o711); // for the account that engines have
  const files = Object.fromEntries(PARTS.map((part, index) => [`q-Q8_0-0000${index + 1}-of-00006.gguf`, part]));
  hub = await startFakeHub([
    { id: ID, files: { "model.safetensors": { size: 5000 } } },
    { id: REPOSITORY, tags: ["gguf", `base_model:quantized:${ID}`], files },
  ]);
  hub.state.store = (request, response, bytes) => {
    const { start, end } = parseRange(request, bytes.length);
    const range = start > 0 ? { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` } : {};
    requested += end - start;
    response.writeHead(start > 0 ? 206 : 200, { "content-length": end - start, ...range });
    const sent = Math.min(end - start, allowed);
    allowed -= sent;
    if (sent === end - start) response.end(bytes.subarray(start, end));
    else response.write(bytes.subarray(start, start + sent));
  };
});
afterAll(async () => {
  platform?.process.kill("SIGTERM");
  await platform?.ended;
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<{ admin: Feather; token: string }> {
  platform = await startPlatform(folder, { FEATHER_HUB_URL: hub.baseUrl });
  const { token } = await signInAsAdmin(platform.baseUrl);
  return { admin: createFeather({ baseUrl: platform.baseUrl, token }), token };
}

async function call(token: string, headers: Record<string, string>) {
  const response = await fetch(`${platform.baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: ID, messages: [{ role: "user", content: "Hello" }], max_tokens: 8 }),
  });
  return { status: response.status, body: (await response.json()) as { error?: { code: string } } };
}

test("a call downloads a split model, whose download outlives kills and pauses, and is answered by it", async () => {
  allowed = 1_000_000;
  const first = await start();
  expect(await call(first.token, { "x-wait-for-model": "0" })).toMatchObject({
    status: 503,
    body: { error: { code: "model_loading" } },
  });
  const progress = async ({ admin }: { admin: Feather }) => (await admin.admin.store.pulls.list()).items[0];
  await expect.poll(async () => (await progress(first))?.bytes_done, { timeout: 10_000 }).toBeGreaterThan(900_000);
  platform.process.kill("SIGKILL");
  await platform.ended;

  const second = await start();
  const id = (await progress(second))?.id ?? "";
  expect((await second.admin.admin.store.pulls.pause(id)).state).toBe("paused");
  platform.process.kill("SIGKILL");
  await platform.ended;

  allowed = Number.POSITIVE_INFINITY;
  requested = 0;
  const third = await start();
  expect(await progress(third)).toMatchObject({ id, state: "paused", bytes_total: TOTAL });
  await third.admin.admin.store.pulls.resume(id);
  expect((await call(third.token, { "x-wait-for-model": "60" })).status).toBe(200);
  expect(requested).toBeLessThan(TOTAL - 900_000);
  expect((await third.admin.admin.store.models.list()).items).toMatchObject([
    { model_id: ID, repository: REPOSITORY, file: "q-Q8_0-00001-of-00006.gguf", bytes: TOTAL },
  ]);
});
