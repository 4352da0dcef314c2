import { expect, test } from "vitest";
import { kubernetesSettings } from "../../deployments/kubernetes/kubernetes.settings.ts";
import { type HostedModel, smallestEngineBytes } from "../../runtimes/index.ts";
import { chooseMachine, limitsOf } from "./choose-machine.ts";

const MODEL = { contextLength: 8_192, bytesPerToken: 131_072, size: 5e9 };
const GGUF: HostedModel = { id: "acme/small", file: "/models/small.gguf", fileName: "small.gguf", ...MODEL };
const SAFETENSORS: HostedModel = { ...GGUF, id: "acme/large", file: "/models/large", runtime: "vllm" };
const GPU = { gpu: "H100", gpu_count: 1, vram_gb: 80 };

const hardwareOf = (rows: readonly object[]) => kubernetesSettings.hardware.schema.parse(rows);
const engineMemoryOf = (memory: string) => limitsOf(hardwareOf([{ id: "cpu", memory }]))["llama.cpp"];
const machineFor = (model: HostedModel, ...rows: object[]) => chooseMachine(hardwareOf(rows), model);

test("a model may take the memory of all GPUs of a replica, on all its nodes", () => {
  const limitOf = (fields: object) => {
    const rows = [{ id: "cpu" }, { id: "h100", gpu: "H100", gpu_count: 8, vram_gb: 640, ...fields }];
    return limitsOf(kubernetesSettings.hardware.schema.parse(rows)).vllm;
  };
  expect(limitOf({})).toMatchObject({ memory: { budget: 576e9 } });
  expect(limitOf({ nodes: 2 })).toMatchObject({ memory: { budget: 1152e9 } });
});

test.each([
  ["16Gi", 15_461_882_265],
  ["1.5Ti", 1_484_340_697_497],
  ["512Mi", 483_183_820],
  ["2048Ki", 1_887_436],
  ["2T", 1.8e12],
  ["16G", 14.4e9],
  ["250M", 225e6],
  ["40k", 36e3],
  ["1000", 900],
  ["5000m", 4],
  ["0", 0],
])("a model may take nine tenths of %s of memory", (memory, budget) => {
  expect(engineMemoryOf(memory)).toEqual({ memory: { budget }, memoryName: "memory" });
});

test("a model on the engine may take the memory of the GPUs of a kind of machine that has some", () => {
  const [row] = hardwareOf([{ id: "gpu", ...GPU, runtime: "engine", memory: "16Gi" }]);
  expect(row && limitsOf([row])["llama.cpp"]).toMatchObject({ memory: { budget: 72e9 } });
});

test("the largest kind of machine sets the limit, whatever its place in the list", () => {
  const rows = [
    { id: "small", memory: "10G" },
    { id: "large", memory: "100G" },
    { id: "middle", memory: "50G" },
  ];
  expect(limitsOf(hardwareOf(rows))["llama.cpp"]).toMatchObject({ memory: { budget: 90e9 } });
});

test("a program that no kind of machine runs is unavailable, with the setting that would change it", () => {
  const { vllm, "llama.cpp": engine } = limitsOf(hardwareOf([{ id: "cpu" }]));
  expect(engine).not.toHaveProperty("unavailable");
  expect(vllm).toEqual({ unavailable: "No kind of machine in FEATHER_KUBERNETES_HARDWARE runs vLLM." });
});

test("the engine has no memory where all kinds of machines run vLLM", () => {
  const limits = limitsOf(hardwareOf([{ id: "gpu", ...GPU }]));
  expect(limits["llama.cpp"]).toEqual({ memory: { budget: 0 }, memoryName: "memory" });
  expect(limits.vllm).toEqual({ memory: { budget: 72e9 }, memoryName: "GPU memory" });
});

test("a model runs on the first kind of machine on which it fits, in the operator's order", () => {
  const rows = [
    { id: "tiny", memory: "4G" },
    { id: "large", memory: "100G" },
    { id: "larger", memory: "200G" },
  ];
  expect(machineFor(GGUF, ...rows)?.id).toBe("large");
  expect(machineFor(GGUF, ...rows.toReversed())?.id).toBe("larger");
});

test("a model runs only on a kind of machine for its program", () => {
  const cpu = { id: "cpu", memory: "100G" };
  const gpu = { id: "gpu", ...GPU };
  expect(machineFor(GGUF, gpu, cpu)?.id).toBe("cpu");
  expect(machineFor(SAFETENSORS, cpu, gpu)?.id).toBe("gpu");
  expect(machineFor(SAFETENSORS, cpu)).toBeNull();
  expect(machineFor(GGUF, { ...gpu, runtime: "engine" })?.id).toBe("gpu");
  expect(machineFor(SAFETENSORS, { ...cpu, runtime: "vllm" })?.id).toBe("cpu");
});

test("a model runs where nine tenths of the memory just hold it, and not with one byte less", () => {
  const bytes = smallestEngineBytes(GGUF);
  const enough = Math.ceil(bytes / 0.9);
  expect(machineFor(GGUF, { id: "cpu", memory: String(enough) })).toEqual({
    id: "cpu",
    size: { contextLength: 2_048, sequences: 1, bytes },
  });
  expect(machineFor(GGUF, { id: "cpu", memory: String(enough - 2) })).toBeNull();
});

test("a model gets its whole context where the machine has room to spare", () => {
  expect(machineFor(GGUF, { id: "cpu", memory: "1T" })?.size).toMatchObject({ contextLength: 8_192, sequences: 4 });
});
