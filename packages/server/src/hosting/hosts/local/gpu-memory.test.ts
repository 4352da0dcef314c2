import { describe, expect, onTestFinished, test } from "vitest";
import { createFakeEngines } from "../../../testing/fake-engines.ts";
import { createTestServer } from "../../../testing/server.ts";
import type { EngineGpu, VllmState } from "../../runtimes/index.ts";

const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1_000_000_000;
const CARD: EngineGpu = { state: "on", type: "cuda", devices: ["NVIDIA L4"], totalBytes: 20 * GIGABYTE };
const VLLM: VllmState = {
  state: "on",
  command: "/usr/bin/vllm",
  gpu: { name: "NVIDIA L4", totalBytes: 20 * GIGABYTE, freeBytes: 20 * GIGABYTE },
};

type Options = { engineGpu?: EngineGpu; vllm?: VllmState; env?: Record<string, string> };

/**
 * Starts a server with 4,000 MB of memory for models and returns the bytes that its budget for GGUF files has beyond that.
 */
async function readMemory({ env, ...options }: Options) {
  const engines = createFakeEngines();
  const server = await createTestServer({
    startEngine: engines.start,
    ...options,
    env: { FEATHER_MODEL_MEMORY: "4000", ...env },
  });
  onTestFinished(async () => {
    await server.close();
    engines.close();
  });
  const id = "acme/large";
  const row = { id, id_lower: id, owned_by: "acme", name: "large", model_class_id: "qwen3-8b", source: "catalogue" };
  await server.db
    .insertInto("models")
    .values({ ...row, parameter_size: 14e9 })
    .execute();
  const { token } = await server.signInAdmin();
  const { body } = await server.call("/api/admin/model-host", { token });
  const model = (await server.call(`/api/feather/models/${encodeURIComponent(id)}`, { token })).body;
  const { fit } = model as { fit: { verdict: string; reason: string } };
  const { memory_bytes: bytes, runtimes } = body as { memory_bytes: number; runtimes: object[] };
  return { addedBytes: bytes - 4000 * MEGABYTE, runtimes, ...fit };
}

describe("the memory for models in GGUF files", () => {
  test("the memory for models in GGUF files is that of the machine without a graphics card", async () => {
    expect(await readMemory({})).toMatchObject({ addedBytes: 0, verdict: "too_large" });
  });

  test("the memory for models in GGUF files counts that of a graphics card that the engine uses, and says so in the reason of a fit", async () => {
    expect(await readMemory({ engineGpu: CARD })).toMatchObject({
      addedBytes: 18 * GIGABYTE,
      verdict: "fits",
      reason: expect.stringContaining("of memory and GPU memory"),
    });
  });

  test("the memory for models in GGUF files counts as much of the card as the operator allows", async () => {
    const env = { FEATHER_GPU_MEMORY: "1000" };
    expect(await readMemory({ engineGpu: CARD, env })).toMatchObject({ addedBytes: 1000 * MEGABYTE });
  });

  test("the memory for models does not count a card twice that shares the machine's memory or is vLLM's", async () => {
    expect(await readMemory({ engineGpu: { ...CARD, type: "metal" } })).toMatchObject({ addedBytes: 0 });
    expect(await readMemory({ engineGpu: CARD, vllm: VLLM })).toMatchObject({ addedBytes: 0 });
  });
});

const LLAMA_SERVER_OFF = "FEATHER_LLAMA_SERVER is off.";

describe("the programs that run models", () => {
  test("the programs that run models are listed with the reason why they use no graphics card, or are not there", async () => {
    expect((await readMemory({})).runtimes).toEqual([
      { name: "llama.cpp", is_available: true, gpu: null, graphics_cards: [], reason: "FEATHER_GPU is off." },
      { name: "llama-server", is_available: false, gpu: null, graphics_cards: [], reason: LLAMA_SERVER_OFF },
      { name: "vllm", is_available: false, gpu: null, graphics_cards: [], reason: "FEATHER_VLLM is off." },
      { name: "sglang", is_available: false, gpu: null, graphics_cards: [], reason: "FEATHER_SGLANG is off." },
    ]);
  });

  test("the programs that run models are listed with the graphics cards that they use", async () => {
    const cards = { graphics_cards: ["NVIDIA L4"], reason: null };
    expect((await readMemory({ engineGpu: CARD, vllm: VLLM })).runtimes).toEqual([
      { name: "llama.cpp", is_available: true, gpu: "cuda", ...cards },
      { name: "llama-server", is_available: false, gpu: null, graphics_cards: [], reason: LLAMA_SERVER_OFF },
      { name: "vllm", is_available: true, gpu: "cuda", ...cards },
      { name: "sglang", is_available: false, gpu: null, graphics_cards: [], reason: "FEATHER_SGLANG is off." },
    ]);
  });
});
