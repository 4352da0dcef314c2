import { FAKE_SGLANG_COMMAND } from "@feather/testing/fake-sglang";
import { FAKE_VLLM_COMMAND } from "@feather/testing/fake-vllm";
import { expect, test } from "vitest";
import { SettingsError } from "../../../platform/core/settings.ts";
import { detectRuntimes } from "../detect-runtimes.ts";
import type { EngineSettings } from "../engine.settings.ts";
import { detectSglang } from "./detect-sglang.ts";

const CARD = { name: "NVIDIA L4", totalBytes: 24e9, freeBytes: 24e9 };
const SETTINGS: EngineSettings = {
  sandbox: "off",
  gpu: "off",
  llamaServer: "off",
  vllm: "off",
  sglang: FAKE_SGLANG_COMMAND,
  ggufConverter: undefined,
};

function detect(settings: Partial<EngineSettings> = {}, gpus = [CARD], gpuUser: string | null = null) {
  return detectSglang({ settings: { ...SETTINGS, ...settings }, path: "", gpus, gpuUser });
}

test("SGLang runs models in safetensors files on the first graphics card", () => {
  expect(detect()).toEqual({
    command: FAKE_SGLANG_COMMAND,
    gpu: { state: "on", type: "cuda", devices: ["NVIDIA L4"], totalBytes: 24e9 },
    notice: `Models in safetensors files run with SGLang (${FAKE_SGLANG_COMMAND}) on NVIDIA L4.`,
  });
});

test.each<[string, ReturnType<typeof detect>, string, boolean]>([
  ["it is not installed", detect({ sglang: undefined }), "there is no command sglang", false],
  ["it is switched off", detect({ sglang: "off" }), "FEATHER_SGLANG is off.", false],
  ["there is no graphics card", detect({}, []), "nvidia-smi lists no graphics card", true],
  ["vLLM uses the graphics card", detect({}, [CARD], "vLLM"), "vLLM uses the graphics card", true],
])("SGLang is not used where %s", (_where, state, reason, isNoticed) => {
  expect(state).toMatchObject({ unavailable: expect.stringContaining(reason) });
  expect(state.notice !== null).toBe(isNoticed);
});

test("a setting of SGLang that names no command is refused", () => {
  expect(() => detect({ sglang: "/nonexistent/sglang" })).toThrow(SettingsError);
});

test("where vLLM and SGLang are installed, vLLM runs the models", async () => {
  const settings = { ...SETTINGS, vllm: FAKE_VLLM_COMMAND };
  const states = await detectRuntimes({ settings, sandbox: { state: "off" }, path: "" }, async () => [CARD]);
  expect(states).toMatchObject({
    vllm: { command: FAKE_VLLM_COMMAND },
    sglang: { unavailable: "SGLang is installed, but vLLM uses the graphics card." },
  });
});
