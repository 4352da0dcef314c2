import { type FakeHub, startFakeHub } from "@feather/testing/fake-hub";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCardInThread } from "../../../testing/read-card.ts";
import { createHub } from "../../hub/create-hub.ts";
import { findSource } from "./find-source.ts";

const quantizedTags = (id: string) => ["gguf", `base_model:quantized:${id}`];
const weights = { "model.safetensors": { size: 5000 } };
const gguf = { "m-Q4_K_M.gguf": { size: 5000 } };

let server: FakeHub;
beforeAll(async () => {
  server = await startFakeHub([
    { id: "Qwen/Qwen3-8B", files: weights },
    { id: "someone/Qwen3-8B-GGUF", tags: quantizedTags("Qwen/Qwen3-8B"), downloads: 900, files: gguf },
    { id: "bartowski/Qwen3-8B-GGUF", tags: quantizedTags("Qwen/Qwen3-8B"), downloads: 500, files: gguf },
    { id: "unsloth/Qwen3-8B-GGUF", tags: quantizedTags("Qwen/Qwen3-8B"), downloads: 100, files: gguf },
    { id: "acme/tuned", files: weights },
    { id: "a/tuned-GGUF", tags: quantizedTags("acme/tuned"), downloads: 1, files: gguf },
    { id: "b/tuned-GGUF", tags: quantizedTags("acme/tuned"), downloads: 2, files: gguf },
    { id: "c/tuned-GGUF", tags: quantizedTags("acme/tuned"), downloads: 9, gated: true, files: gguf },
    { id: "d/tuned-GGUF", tags: quantizedTags("acme/tuned"), downloads: 8, files: { "mmproj.gguf": { size: 9 } } },
    { id: "acme/alone", files: weights },
    { id: "acme/broken", files: { "m-00001-of-00002.gguf": { size: 5000 } } },
    { id: "acme/merged-GGUF", tags: ["gguf", "base_model:merge:Qwen/Qwen3-8B"], files: gguf },
  ]);
});
afterAll(() => server.close());

const catalogue = ["qwen/QWEN3-8b"];
const find = async (id: string, gatedId?: string) => {
  const { repository, modelId } = await findSource(
    {
      hub: createHub({ dir: undefined, url: server.baseUrl }, [], readCardInThread),
      tokens: { operatorToken: undefined, forRepository: async ({ id }) => (id === gatedId ? "hf_kept" : undefined) },
      findModelId: async (name) => catalogue.find((known) => known.toLowerCase() === name.toLowerCase()) ?? null,
    },
    id,
  );
  return [repository.id, modelId];
};

test("a model without a GGUF file comes from a well-known publisher, before the most downloaded one", async () => {
  expect(await find("Qwen/Qwen3-8B")).toEqual(["unsloth/Qwen3-8B-GGUF", "qwen/QWEN3-8b"]);
});

test("a repository of quantized weights is the model of the catalogue that they are from", async () => {
  expect(await find("bartowski/Qwen3-8B-GGUF")).toEqual(["bartowski/Qwen3-8B-GGUF", "qwen/QWEN3-8b"]);
});

test("a repository of quantized weights keeps its id where the catalogue does not have their model", async () => {
  expect(await find("a/tuned-GGUF")).toEqual(["a/tuned-GGUF", "a/tuned-GGUF"]);
});

test("a model with its own weights is its own source, whatever it was made from", async () => {
  expect(await find("acme/merged-GGUF")).toEqual(["acme/merged-GGUF", "acme/merged-GGUF"]);
});

test("gated repositories and those without a loadable file are passed over", async () => {
  expect(await find("acme/tuned")).toEqual(["b/tuned-GGUF", "acme/tuned"]);
});

test("a gated repository is taken if there is a token for it", async () => {
  expect(await find("acme/tuned", "c/tuned-GGUF")).toEqual(["c/tuned-GGUF", "acme/tuned"]);
});

test("a model of which the hub has no GGUF file is refused", async () => {
  await expect(find("acme/alone")).rejects.toMatchObject({ status: 422, code: "store.no_gguf" });
});

test("a model with a split file of which a part is missing is refused with its name", async () => {
  await expect(find("acme/broken")).rejects.toMatchObject({
    status: 422,
    code: "store.parts_missing",
    details: { missing: ["m-00002-of-00002.gguf"] },
  });
});
