import { expect, test } from "vitest";
import { buildHubFile } from "../testing/rows.ts";
import { chooseProjector } from "./choose-projector.ts";

test.each<[string, string[], string | null]>([
  ["the only one", ["model-Q8_0.gguf", "mmproj-model-Q8_0.gguf"], "mmproj-model-Q8_0.gguf"],
  ["the best type", ["mmproj-F32.gguf", "mmproj-BF16.gguf", "mmproj-Q8_0.gguf", "mmproj-F16.gguf"], "mmproj-F16.gguf"],
  ["the one in a folder", ["vision/Model.mmproj-f16.gguf", "model-Q4_0.gguf"], "vision/Model.mmproj-f16.gguf"],
  ["none where there is none", ["model-F16.gguf", "imatrix.gguf", "mmproj.safetensors"], null],
  ["none that is split", ["mmproj-F16-00001-of-00002.gguf", "mmproj-F16-00002-of-00002.gguf"], null],
])("of the projectors of a repository, %s is taken", (_which, paths, expected) => {
  expect(chooseProjector(paths.map((path) => buildHubFile(path)))?.path ?? null).toBe(expected);
});

test("an empty file is no projector", () => {
  expect(chooseProjector([buildHubFile("mmproj-F16.gguf", 0)])).toBeNull();
});
