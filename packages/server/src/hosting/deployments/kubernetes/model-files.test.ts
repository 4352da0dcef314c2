import { expect, test } from "vitest";
import type { DeploymentSpec } from "../provider.ts";
import { hardwareSchema } from "./hardware.ts";
import { findPodFiles, type KnownFiles, type ModelSources } from "./model-files.ts";

const cpu = hardwareSchema.parse({ id: "cpu" });
const gpu = hardwareSchema.parse({ id: "gpu", gpu_count: 1 });
const gguf: KnownFiles = {
  files: "gguf",
  fileName: "q4.gguf",
  repository: "quantizer/stored-GGUF",
  revision: "abc",
  isConverted: false,
  served: { version: "c0ffee", names: ["c0ffee.gguf"], prepare() {} },
};
const safetensors: KnownFiles = {
  files: "safetensors",
  fileName: "model.safetensors",
  revision: "abc",
  isConverted: false,
  served: { version: "abc", names: ["config.json", "model.safetensors"], prepare() {} },
};
const KNOWN: Record<string, KnownFiles> = {
  "org_1 acme/stored": gguf,
  "org_1 acme/converted": { ...gguf, isConverted: true },
  "org_1 org_1:acme/own": gguf,
  "org_1 org_1:acme/own-safetensors": safetensors,
};
const sources: ModelSources = {
  hubUrl: "https://hub.example",
  builtInModels: new Set(["feather/demo"]),
  serverUrl: "http://feather.svc",
  hasEngineImage: true,
  findFiles: (key, organizationId) => KNOWN[`${organizationId} ${key}`] ?? null,
};
const spec = (modelKey: string, engineArgs: DeploymentSpec["engineArgs"] = {}, revision: string | null = null) => ({
  organizationId: "org_1",
  modelKey,
  revision,
  region: "cluster",
  instanceType: "cpu",
  engineArgs,
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
  expect(findPodFiles(given, cpu, sources)).toEqual(file);
});

test("pods with vLLM get the files from the hub", () => {
  expect(findPodFiles(spec("acme/m", { max_model_len: 4096 }), gpu, sources)).toEqual({ from: "vllm" });
});

const FILE = { from: "server", version: "c0ffee", names: ["c0ffee.gguf"] };

test.each([
  ["a private model", spec("org_1:acme/own"), cpu, sources, FILE],
  ["a private model at the commit that is here", spec("org_1:acme/own", {}, "abc"), cpu, sources, FILE],
  [
    "a private model for vLLM",
    spec("org_1:acme/own-safetensors"),
    gpu,
    sources,
    { from: "server", version: "abc", names: ["config.json", "model.safetensors"] },
  ],
  ["a file that was converted here", spec("acme/converted"), cpu, sources, FILE],
  ["a model of a hub that is a folder", spec("acme/stored"), cpu, { ...sources, hubUrl: null }, FILE],
])("pods get the files of %s from this server", (_name, given, hardware, from, files) => {
  expect(findPodFiles(given, hardware, from)).toEqual(files);
});

test.each([
  [
    "a private model while pods do not know the address of this server",
    spec("org_1:acme/own"),
    cpu,
    { ...sources, serverUrl: null },
    /acme\/own is a private model, .* FEATHER_KUBERNETES_SERVER_URL/,
  ],
  [
    "a private model without an image that downloads files",
    spec("org_1:acme/own-safetensors"),
    gpu,
    { ...sources, hasEngineImage: false },
    /FEATHER_KUBERNETES_ENGINE_IMAGE/,
  ],
  ["a private model that was not downloaded", spec("org_1:acme/other"), cpu, sources, /download it first/],
  ["a private GGUF file with vLLM", spec("org_1:acme/own"), gpu, sources, /that runs the engine/],
  ["private safetensors files with the engine", spec("org_1:acme/own-safetensors"), cpu, sources, /that runs vLLM/],
  [
    "another commit of a private model than the one here",
    spec("org_1:acme/own", {}, "v2"),
    cpu,
    sources,
    /at abc, not at v2/,
  ],
  ["another file of a private model", spec("org_1:acme/own", { file: "b.gguf" }), cpu, sources, /has q4.gguf/],
  [
    "a file that was converted here while pods do not know the address of this server",
    spec("acme/converted"),
    cpu,
    { ...sources, serverUrl: null },
    /converted on this server.* FEATHER_KUBERNETES_SERVER_URL/,
  ],
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
])("a deployment in the cluster rejects %s", (_name, given, hardware, from, message) => {
  expect(() => findPodFiles(given, hardware, from)).toThrow(message);
});
