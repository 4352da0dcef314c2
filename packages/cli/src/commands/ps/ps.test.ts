import { errorResponse } from "@feather/testing/errors";
import { expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const MODEL = {
  model_id: "Qwen/Qwen3-8B",
  organization_id: null,
  runtime: "llama.cpp",
  state: "warm",
  reason: null,
  memory_bytes: 6_400_000_000,
  context_length: 8192,
  request_count: 2,
  last_used_at: "2026-11-21T11:58:00.000Z",
};
const FAILED = {
  ...MODEL,
  model_id: "acme/support",
  runtime: "vllm",
  state: "failed",
  memory_bytes: 0,
  request_count: 0,
  reason: "torch.OutOfMemoryError: CUDA out of memory.",
};
const GPU = { memory_bytes: 72e9, free_bytes: 70e9 };
const CARD = { name: "NVIDIA H100", memory_bytes: 80e9, free_bytes: 78e9 };
const STORED = {
  model_id: "Qwen/Qwen3-8B",
  organization_id: null,
  repository: "Qwen/Qwen3-8B-GGUF",
  file: "q4_k_m.gguf",
  quantization: "Q4_K_M",
  bytes: 5_000_000_000,
  parameter_size: 8_190_735_360,
  is_loaded: true,
  is_pinned: true,
  created_at: "2026-11-20T12:00:00.000Z",
  last_used_at: null,
};
const PATH = "/admin/models/Qwen%2FQwen3-8B";
const { run, runInteractive, runAnonymous, requests } = setupCli({
  "GET /admin/model-host": () => ({
    body: { memory_bytes: 19e9, free_bytes: 12e9, gpu: GPU, graphics_cards: [CARD], models: [MODEL, FAILED] },
  }),
  "GET /admin/store/models": () => ({ body: { items: [STORED] } }),
  [`POST ${PATH}/unload`]: () => ({ status: 202, body: { id: "Qwen/Qwen3-8B", status: "unloading" } }),
  "DELETE /admin/store/models/Qwen%2FQwen3-8B": () => ({ status: 204 }),
  "PUT /admin/store/models/Qwen%2FQwen3-8B": ({ body }) => ({
    body: { ...STORED, is_pinned: (body as { pinned: boolean }).pinned },
  }),
  "DELETE /admin/store/models/a%2Fnone": () =>
    errorResponse(404, "store.model_not_found", "No file of a/none was downloaded to this machine."),
});

test("ps lists the models in memory with their memory and calls", async () => {
  const { out, err } = await runInteractive("ps");
  expect(out).toMatch(/Qwen\/Qwen3-8B +warm +llama\.cpp +6\.4 GB +8192 +2 +2 minutes ago\n/);
  expect(err).toContain("12.0 GB of 19.0 GB of memory are free.");
  expect(err).toContain("70.0 GB of 72.0 GB of GPU memory are free for models.");
  expect(err).toContain("NVIDIA H100: 78.0 GB of 80.0 GB are free.");
  const [line] = (await run("ps")).out.split("\n");
  expect(line).toBe("Qwen/Qwen3-8B\twarm\tllama.cpp\t6400000000\t8192\t2\t2026-11-21T11:58:00.000Z");
  expect(JSON.parse((await run("ps --json model_id,state")).out)).toEqual([
    { model_id: "Qwen/Qwen3-8B", state: "warm" },
    { model_id: "acme/support", state: "failed" },
  ]);
});

test("ps says why a model is not loaded", async () => {
  const { out, err } = await runInteractive("ps");
  expect(out).toMatch(/acme\/support +failed +vllm /);
  expect(err).toContain("acme/support: torch.OutOfMemoryError: CUDA out of memory.");
});

test("models stored lists the models on the disk", async () => {
  const { out } = await runInteractive("models stored");
  expect(out).toMatch(/Qwen\/Qwen3-8B +5\.0 GB +Q4_K_M +never +yes/);
});

test("stop unloads and rm deletes a model, after confirmation only", async () => {
  expect((await run("stop Qwen/Qwen3-8B --yes")).err).toBe("Qwen/Qwen3-8B is unloaded.\n");
  expect((await run("rm Qwen/Qwen3-8B --yes")).err).toBe("Deleted Qwen/Qwen3-8B. Again: feather run Qwen/Qwen3-8B\n");
  expect(requests().map(({ method }) => method)).toEqual(["POST", "DELETE"]);
  for (const line of ["stop Qwen/Qwen3-8B", "rm Qwen/Qwen3-8B"]) expect((await run(line)).code).toBe(2);
});

test.each([
  ["models pin Qwen/Qwen3-8B", { pinned: true }, "stays on the disk and in memory"],
  ["models unpin Qwen/Qwen3-8B", { pinned: false }, "is unloaded when nobody calls it"],
])("%s sends its request", async (line, body, message) => {
  expect((await run(line)).err).toContain(message);
  expect(requests()).toMatchObject([{ method: "PUT", body }]);
});

test("rm of a model that was not downloaded exits with 3", async () => {
  const { code, err } = await run("rm a/none --yes");
  expect(code).toBe(3);
  expect(err).toContain("No file of a/none was downloaded");
});

test.each(["ps", "models stored", "stop a/b --yes", "rm a/b --yes"])("%s needs a sign-in", async (line) => {
  expect((await runAnonymous(line)).code).toBe(4);
});
