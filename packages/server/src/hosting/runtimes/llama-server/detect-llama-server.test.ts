import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SettingsError } from "../../../platform/core/settings.ts";
import type { EngineSettings } from "../engine.settings.ts";
import { detectLlamaServer, parseCards } from "./detect-llama-server.ts";

const folder = mkdtempSync(join(tmpdir(), "llama-server-"));
const LISTED = `Available devices:
  CUDA0: NVIDIA L4 (22695 MiB, 22503 MiB free)
  CUDA1: NVIDIA L4 (22695 MiB, 22503 MiB free)
  Vulkan0: NVIDIA L4 (22695 MiB, 22503 MiB free)`;
const command = writeCommand("llama-server", `[ "$1" = --list-devices ] && cat <<'END'\n${LISTED}\nEND`);
const withoutCards = writeCommand("llama-server-cpu", 'echo "Available devices:"; echo "  (none)"');
afterAll(() => rmSync(folder, { recursive: true }));

function writeCommand(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

function detect(settings: Partial<EngineSettings>, path = folder, gpuUser: string | null = null) {
  const all: EngineSettings = {
    sandbox: "off",
    gpu: "auto",
    vllm: "off",
    llamaServer: undefined,
    sglang: "off",
    ggufConverter: undefined,
  };
  return detectLlamaServer({ settings: { ...all, ...settings }, path, gpuUser });
}

test("llama-server is found on the path, with its graphics cards and a line for operators", async () => {
  expect(await detect({})).toEqual({
    command,
    gpu: { state: "on", type: "cuda", devices: ["NVIDIA L4", "NVIDIA L4"], totalBytes: 2 * 22_695 * 1024 ** 2 },
    notice: `Models in GGUF files that read images, rank texts, or are new to the engine run with llama-server (${command}).`,
  });
});

test.each<[string, Partial<EngineSettings>, string | null, object]>([
  ["the card of the setting", { gpu: "vulkan" }, "vLLM", { state: "on", type: "vulkan" }],
  ["no card where vLLM uses it", {}, "vLLM", { state: "off", reason: "vLLM uses the graphics card." }],
  ["no card where cards are switched off", { gpu: "off" }, null, { state: "off", reason: "FEATHER_GPU is off." }],
  [
    "no card where it lists none",
    { llamaServer: withoutCards },
    null,
    { state: "off", reason: "llama-server lists no graphics card." },
  ],
])("llama-server uses %s", async (_what, settings, gpuUser, gpu) => {
  expect(await detect(settings, folder, gpuUser)).toMatchObject({ gpu });
});

test.each<[string, Partial<EngineSettings>, string]>([
  [
    "it is not installed",
    {},
    "llama-server is not installed: there is no command llama-server, and FEATHER_LLAMA_SERVER names none.",
  ],
  ["it is switched off", { llamaServer: "off" }, "FEATHER_LLAMA_SERVER is off."],
])("llama-server is not used where %s", async (_where, settings, unavailable) => {
  expect(await detect(settings, "/nonexistent")).toEqual({ unavailable, notice: null });
});

test("a setting that names no command is refused", async () => {
  await expect(detect({ llamaServer: join(folder, "missing") })).rejects.toThrow(SettingsError);
});

test("lines that name no graphics card are left out", () => {
  expect(parseCards("Available devices:\n  (none)\n  BLAS: OpenBLAS (0 MiB, 0 MiB free)\n")).toEqual([]);
  expect(parseCards("  MTL0: Apple M4 (12288 MiB, 12287 MiB free)")).toMatchObject([
    { type: "metal", name: "Apple M4" },
  ]);
});
