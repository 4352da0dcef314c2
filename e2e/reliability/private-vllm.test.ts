import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Feather } from "@feather/sdk";
import { createServableRepository, type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { FAKE_VLLM_COMMAND } from "@feather/testing/fake-vllm";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount, signInAsAdmin } from "../support/accounts.ts";
import { type Platform, startPlatform } from "../support/platform.ts";

const MODEL = "acme/support";
const HUB_TOKEN = "hf_secretreader";

let folder: string;
let hub: FakeHub;
let platform: Platform;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-private-vllm-"));
  chmodSync(folder, 0o711); // the database runs as another user
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/nvidia-smi"), '#!/bin/sh\necho "NVIDIA H100 80GB HBM3, 81559, 81008"\n', {
    mode: 0o755,
  });
  const config = {
    architectures: ["Qwen3ForCausalLM"],
    model_type: "qwen3",
    max_position_embeddings: 40_960,
    torch_dtype: "bfloat16",
    fake_vllm: "ignores_sigterm",
  };
  const files = { "config.json": JSON.stringify(config) };
  hub = await startFakeHub([createServableRepository(MODEL, { gated: true, files })], {
    [HUB_TOKEN]: { user: "reader", reads: [MODEL] },
  });
  platform = await start();
});
afterAll(async () => {
  await kill();
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = () =>
  startPlatform(join(folder, "data"), {
    FEATHER_VLLM: FAKE_VLLM_COMMAND,
    FEATHER_HUB_URL: hub.baseUrl,
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
  });
async function kill(): Promise<void> {
  platform.process.kill("SIGKILL");
  await platform.ended;
}

/** The processes that run the model with vLLM: their arguments and their environment. */
function listVllmProcesses(): { args: string; environment: string }[] {
  const lines = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).trim().split("\n");
  return lines
    .filter((line) => line.includes(FAKE_VLLM_COMMAND) && line.includes(folder))
    .map((line) => ({ args: line, environment: readEnvironment(line.trim().split(" ")[0] ?? "") }));
}

function readEnvironment(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return ""; // it has ended
  }
}

async function chat(secret: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${platform.baseUrl}/api/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${secret}`, "x-wait-for-model": "60" },
    body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Hello" }] }),
  });
  return { status: response.status, text: await response.text() };
}

const stateIs = (feather: Feather, state: string) =>
  waitFor(async () => expect(await feather.privateModels.get(MODEL)).toMatchObject({ state }));

test("a private model that vLLM runs survives kills of the server, answers its organization only, and leaves nothing when it is deleted", async () => {
  const owner = await signInAsAdmin(platform.baseUrl);
  const { promise, resolve: resume } = Promise.withResolvers<void>();
  hub.state.store = (_request, response, bytes) => {
    response.writeHead(200, { "content-length": bytes.length });
    response.write(bytes.subarray(0, 1_000));
    void promise.then(() => response.end(bytes.subarray(1_000)));
  };
  await owner.feather.privateModels.create(MODEL, { hf_token: HUB_TOKEN });
  await waitFor(async () => expect((await owner.feather.privateModels.get(MODEL)).progress).toBeGreaterThan(0));
  await kill();
  hub.state.store = null;
  resume();

  platform = await start();
  const { feather } = await signInAsAdmin(platform.baseUrl);
  await stateIs(feather, "ready");
  const { secret } = await feather.apiKeys.create({ name: "vllm" });
  expect(await chat(secret)).toMatchObject({ status: 200, text: expect.stringContaining("vLLM says hello") });
  const processes = listVllmProcesses();
  expect(processes.length).toBeGreaterThan(0);
  expect(JSON.stringify(processes)).not.toContain(HUB_TOKEN);
  const stranger = await createAccount(platform.baseUrl);
  expect((await chat(stranger.token)).status).toBe(404);
  await kill();
  await waitFor(() => expect(listVllmProcesses()).toEqual([]));

  platform = await start();
  const again = (await signInAsAdmin(platform.baseUrl)).feather;
  expect(await again.privateModels.get(MODEL)).toMatchObject({ state: "unloaded", runtime: "vllm" });
  expect((await chat(secret)).status).toBe(200);
  await stateIs(again, "ready");
  await again.privateModels.delete(MODEL);
  expect(listVllmProcesses()).toEqual([]);
  expect(readdirSync(join(folder, "data/models/organizations"))).toEqual([]);
  expect((await chat(secret)).status).toBe(404);
});
