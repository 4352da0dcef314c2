import { FAKE_VLLM_COMMAND } from "@feather/testing/fake-vllm";
import { expect, test } from "vitest";
import { describeRuntimes, detectRuntimes } from "./detect-runtimes.ts";
import type { EngineSettings } from "./engine.settings.ts";

const CARD = { name: "NVIDIA L4", totalBytes: 24e9, freeBytes: 24e9 };
const settings: EngineSettings = {
  sandbox: "off",
  gpu: "auto",
  llamaServer: "off",
  sglang: "off",
  vllm: FAKE_VLLM_COMMAND,
  ggufConverter: undefined,
};
const options = { settings, sandbox: { state: "off" }, path: "" } as const;

test("a runtime that takes its memory from the graphics card gets the card before those that can do without", async () => {
  const states = await detectRuntimes(options, async () => [CARD]);
  expect(states).toMatchObject({
    "llama.cpp": { gpu: { state: "off", reason: "vLLM uses the graphics card." } },
    vllm: { command: FAKE_VLLM_COMMAND, gpu: { state: "on", type: "cuda", devices: ["NVIDIA L4"], totalBytes: 24e9 } },
  });
  expect(describeRuntimes(states).at(-1)).toBe(
    `Models in safetensors files run with vLLM (${FAKE_VLLM_COMMAND}) on NVIDIA L4.`,
  );
});

test("without a graphics card the server's own engine is available, and vLLM says why it is not", async () => {
  const states = await detectRuntimes({ ...options, settings: { ...settings, gpu: "off" } }, async () => []);
  expect(states).toMatchObject({
    "llama.cpp": { gpu: { state: "off" }, notice: null },
    vllm: { unavailable: "vLLM is installed, but nvidia-smi lists no graphics card." },
  });
  expect(JSON.parse(JSON.stringify(states))).toEqual(states);
});
