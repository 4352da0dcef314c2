import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAKE_VLLM_COMMAND, writeSafetensorsModel } from "@feather/testing/fake-vllm";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signInAsAdmin } from "../support/accounts.ts";
import { type Platform, startPlatform } from "../support/platform.ts";

const MODEL = "acme/support";

let folder: string;
let platform: Platform;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feather-vllm-"));
  chmodSync(folder, 0o711); // the database runs as another user
  const programs = join(folder, "bin");
  mkdirSync(programs);
  writeFileSync(join(programs, "nvidia-smi"), '#!/bin/sh\necho "NVIDIA H100 80GB HBM3, 81559, 81008"\n', {
    mode: 0o755,
  });
  writeSafetensorsModel(join(folder, "hub", MODEL), { mode: "ignores_sigterm" });
  platform = await startPlatform(join(folder, "data"), {
    FEATHER_VLLM: FAKE_VLLM_COMMAND,
    FEATHER_HUB_DIR: join(folder, "hub"),
    PATH: `${programs}:${process.env.PATH}`,
  });
});
afterAll(async () => {
  platform.process.kill("SIGKILL");
  await platform.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** The command lines of the processes that run the model with vLLM. */
function listVllmProcesses(): string[] {
  const lines = execFileSync("ps", ["-eo", "args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.includes(FAKE_VLLM_COMMAND) && line.includes(folder));
}

test("a model that vLLM runs is downloaded and called, and no process of it outlives a server that is killed", async () => {
  const { feather } = await signInAsAdmin(platform.baseUrl);
  await feather.admin.store.pulls.create({ model_id: MODEL });
  await waitFor(async () => {
    expect((await feather.admin.store.models.list()).items.map(({ model_id }) => model_id)).toEqual([MODEL]);
  });
  const { secret } = await feather.apiKeys.create({ name: "vllm" });
  const response = await fetch(`${platform.baseUrl}/api/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${secret}`, "x-wait-for-model": "60" },
    body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Hello" }] }),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("vLLM says hello")]);
  const { gpu, models } = await feather.admin.modelHost.get();
  expect(gpu?.memory_bytes).toBe(Math.floor(81_559 * 1024 ** 2 * 0.9));
  expect(models).toContainEqual(expect.objectContaining({ model_id: MODEL, runtime: "vllm", state: "warm" }));
  expect(listVllmProcesses().length).toBeGreaterThan(0);
  platform.process.kill("SIGKILL");
  await platform.ended;
  await waitFor(() => expect(listVllmProcesses()).toEqual([]));
});
