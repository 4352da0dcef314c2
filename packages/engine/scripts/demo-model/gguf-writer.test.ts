import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readGgufFileInfo } from "node-llama-cpp";
import { expect, test } from "vitest";
import { encodeGguf, type GgufValue } from "./gguf-writer.ts";

test("an independent reader finds the same metadata and tensors", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gguf-"));
  const path = join(folder, "x.gguf");
  const metadata = new Map<string, GgufValue>([
    ["general.architecture", { type: "string", value: "llama" }],
    ["general.name", { type: "string", value: "Näme 👋" }],
    ["llama.block_count", { type: "uint32", value: 7 }],
    ["llama.attention.layer_norm_rms_epsilon", { type: "float32", value: 0.5 }],
    ["tokenizer.ggml.tokens", { type: "strings", value: ["a", "ß"] }],
    ["tokenizer.ggml.token_type", { type: "int32s", value: [1, -3] }],
    ["tokenizer.ggml.add_bos_token", { type: "bool", value: true }],
  ]);
  const tensors = [
    { name: "first", dims: [3], data: Float32Array.of(1, 2, 3) },
    { name: "second", dims: [2, 2], data: Float32Array.of(4, 5, 6, 7) },
  ];
  const bytes = encodeGguf({ metadata, tensors });
  writeFileSync(path, bytes);
  const info = await readGgufFileInfo(path);
  rmSync(folder, { recursive: true });

  expect(info.metadata.general).toMatchObject({ architecture: "llama", name: "Näme 👋" });
  expect(info.metadata.tokenizer.ggml).toMatchObject({ tokens: ["a", "ß"], token_type: [1, -3], add_bos_token: true });
  expect(info.architectureMetadata).toMatchObject({ block_count: 7, attention: { layer_norm_rms_epsilon: 0.5 } });
  expect(info.fullTensorInfo?.map(({ name, dimensions }) => [name, dimensions.map(Number)])).toEqual([
    ["first", [3]],
    ["second", [2, 2]],
  ]);
  const second = info.fullTensorInfo?.[1];
  const at = Number(second?.fileOffset);
  expect(at % 32).toBe(0);
  expect(bytes.readFloatLE(at + 4)).toBe(5);
});

test("rejects a tensor whose data does not fit its dimensions", () => {
  const tensors = [{ name: "t", dims: [2, 2], data: new Float32Array(3) }];
  expect(() => encodeGguf({ metadata: new Map(), tensors })).toThrow("Tensor t");
});
