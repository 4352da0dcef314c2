import { expect, test } from "vitest";
import type { DeploymentSpec } from "../provider.ts";
import { hardwareSchema } from "./hardware.ts";
import { findEngineFile, type ModelSources } from "./model-files.ts";

const cpu = hardwareSchema.parse({ id: "cpu" });
const gpu = hardwareSchema.parse({ id: "gpu", gpu_count: 1 });
const sources: ModelSources = {
  hubUrl: "https://hub.example",
  builtInModels: new Set(["feather/demo"]),
  findFile: (key) =>
    key === "acme/stored" ? { fileName: "q4.gguf", repository: "quantizer/stored-GGUF", revision: "abc" } : null,
};
const spec = (modelKey: string, engineArgs: DeploymentSpec["engineArgs"] = {}, revision: string | null = null) => ({
  ...{ organizationId: "org_1", modelKey, revision, region: "cluster", instanceType: "cpu", engineArgs },
});

test.each([
  ["a model of the engine's image", spec("feather/demo"), { from: "image" }],
  [
    "the file that was downloaded here, of the repository that it came from",
    spec("acme/stored"),
    { from: "hub", repository: "quantizer/stored-GGUF", revision: "abc", file: "q4.gguf" },
  ],
  [
    "the named revision",
    spec("acme/stored", {}, "v2"),
    { from: "hub", repository: "quantizer/stored-GGUF", revision: "v2", file: "q4.gguf" },
  ],
  [
    "a named file",
    spec("acme/m", { file: "a/b.gguf" }),
    { from: "hub", repository: "acme/m", revision: "main", file: "a/b.gguf" },
  ],
  [
    "another file than the one here",
    spec("acme/stored", { file: "b.gguf" }),
    { from: "hub", repository: "acme/stored", revision: "main", file: "b.gguf" },
  ],
])("the engine runs %s", (_name, given, file) => {
  expect(findEngineFile(given, cpu, sources)).toEqual(file);
});

test("vLLM finds the files by itself", () => {
  expect(findEngineFile(spec("acme/m", { max_model_len: 4096 }), gpu, sources)).toBeNull();
});

test.each([
  ["a private model", spec("org_1:acme/own"), cpu, sources, /private model/],
  ["a GGUF file with vLLM", spec("feather/demo"), gpu, sources, /Choose a kind of machine that runs the engine/],
  ["a model of which no file is known", spec("acme/m"), cpu, sources, /Name it in engine_args/],
  ["a hub that is a folder", spec("acme/m"), gpu, { ...sources, hubUrl: null }, /FEATHER_HUB_DIR/],
  [
    "a file outside the repository",
    spec("acme/m", { file: "../x.gguf" }),
    cpu,
    sources,
    /file is the path of a \.gguf file/,
  ],
  [
    "a file that is no GGUF file",
    spec("acme/m", { file: "model.bin" }),
    cpu,
    sources,
    /file is the path of a \.gguf file/,
  ],
  [
    "an option that runs code of the model",
    spec("acme/m", { trust_remote_code: true }),
    gpu,
    sources,
    /trust_remote_code is not known/,
  ],
  ["a value that is an option", spec("acme/m", { quantization: "--help" }), gpu, sources, /quantization is a word/],
  [
    "a share that is too large",
    spec("acme/m", { gpu_memory_utilization: 2 }),
    gpu,
    sources,
    /gpu_memory_utilization is a number/,
  ],
  ["an unknown type", spec("acme/m", { dtype: "int3" }), gpu, sources, /dtype is one of/],
  ["a switch that is a text", spec("acme/m", { enforce_eager: "yes" }), gpu, sources, /enforce_eager is true or false/],
])("refuses %s", (_name, given, hardware, from, message) => {
  expect(() => findEngineFile(given, hardware, from)).toThrow(message);
});
