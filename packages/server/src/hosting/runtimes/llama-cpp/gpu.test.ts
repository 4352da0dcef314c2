import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type GpuType, listGpuFiles, withDeviceGroup } from "../processes/gpu-files.ts";
import { withSandbox } from "../processes/sandbox.ts";
import { describeGpu, detectGpu, type GpuAnswer } from "./gpu.ts";

/** Returns a machine on which bindings are installed. */
function machineWith(...types: string[]) {
  const packagesFolder = mkdtempSync(join(tmpdir(), "gpu-packages-"));
  onTestFinished(() => rmSync(packagesFolder, { recursive: true }));
  for (const type of types)
    mkdirSync(join(packagesFolder, "@node-llama-cpp", `linux-x64-${type}`), { recursive: true });
  return { platform: "linux" as const, arch: "x64", packagesFolder };
}
const CARD: GpuAnswer = { devices: ["NVIDIA L4"], totalBytes: 24e9 };
const NOTHING: GpuAnswer = { devices: [], totalBytes: 0 };

function askWith(answers: Partial<Record<GpuType, GpuAnswer | Error>>) {
  const requested: GpuType[] = [];
  const ask = async (type: GpuType) => {
    requested.push(type);
    const answer = answers[type] ?? NOTHING;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { ask, requested };
}

test("asks for no graphics card where no bindings for one are installed", async () => {
  const { ask, requested } = askWith({ cuda: CARD });
  const found = await detectGpu("auto", { gpuUser: null, machine: machineWith(), ask });
  expect([found, requested]).toEqual([{ state: "off", reason: expect.stringContaining("No bindings") }, []]);
});

test("engines use CUDA before Vulkan, and Vulkan if CUDA finds no card or cannot be asked", async () => {
  const machine = machineWith("vulkan", "cuda");
  const detect = (answers: Partial<Record<GpuType, GpuAnswer | Error>>) =>
    detectGpu("auto", { gpuUser: null, machine, ask: askWith(answers).ask });
  expect(await detect({ cuda: CARD, vulkan: CARD })).toEqual({ state: "on", type: "cuda", ...CARD });
  expect(await detect({ vulkan: CARD })).toEqual({ state: "on", type: "vulkan", ...CARD });
  expect(await detect({ cuda: new Error("no libcuda"), vulkan: CARD })).toMatchObject({ type: "vulkan" });
  expect(await detect({ cuda: new Error("no libcuda") })).toEqual({
    state: "off",
    reason: "llama.cpp could not be asked for cuda: no libcuda llama.cpp finds no graphics card for vulkan.",
  });
});

test("engines leave the card to vLLM unless the setting names a backend, and ask nothing when it is off", async () => {
  const machine = machineWith("cuda");
  const { ask, requested } = askWith({ cuda: CARD });
  expect(await detectGpu("auto", { gpuUser: "vLLM", machine, ask })).toMatchObject({
    reason: "vLLM uses the graphics card.",
  });
  expect(await detectGpu("off", { gpuUser: null, machine, ask })).toMatchObject({ reason: "FEATHER_GPU is off." });
  expect(requested).toEqual([]);
  expect(await detectGpu("cuda", { gpuUser: "vLLM", machine, ask })).toMatchObject({ state: "on", type: "cuda" });
});

test("uses Metal on a Mac with Apple's processor", async () => {
  const machine = { platform: "darwin" as const, arch: "arm64", packagesFolder: "/nowhere" };
  const { ask } = askWith({ metal: { devices: ["Apple M3"], totalBytes: 16e9 } });
  const found = await detectGpu("auto", { gpuUser: null, machine, ask });
  expect(found).toMatchObject({ state: "on", type: "metal" });
  expect(describeGpu("auto", found)).toBe("Models in GGUF files run on Apple M3 by metal.");
});

test("says at start why a requested graphics card is not used, and nothing where nobody expects one", () => {
  const gpu = { state: "off" as const, reason: "llama.cpp finds no graphics card for cuda." };
  expect(describeGpu("cuda", gpu)).toBe(
    "Models in GGUF files run on the processor. llama.cpp finds no graphics card for cuda.",
  );
  expect(describeGpu("off", gpu)).toBeNull();
});

test("the sandbox lets in the nodes of graphics cards only, and the files by which drivers find them", () => {
  const root = mkdtempSync(join(tmpdir(), "gpu-root-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "dev/dri"), { recursive: true });
  for (const name of ["nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-modeset", "sda", "dri/card0", "dri/renderD128"])
    writeFileSync(join(root, "dev", name), "");
  const cuda = listGpuFiles("cuda", root);
  expect(cuda.devices).toEqual(["/dev/nvidia-uvm", "/dev/nvidia0", "/dev/nvidiactl"]);
  expect(listGpuFiles("vulkan", root).devices).toEqual(["/dev/dri/renderD128", ...cuda.devices]);
  expect(listGpuFiles("metal", root)).toEqual({ devices: [], readable: [], needsProc: false });
  const [, args] = withSandbox("engine", [], { readable: [], writable: [], gpu: cuda });
  const line = args.join(" ");
  expect(line).toContain("--dev-bind-try /dev/nvidia0 /dev/nvidia0");
  expect(line).toContain("--ro-bind-try /proc/driver/nvidia /proc/driver/nvidia");
  // Without its own /proc, CUDA finds no card.
  expect(line.indexOf("--proc /proc")).toBeLessThan(line.indexOf("/proc/driver/nvidia"));
  expect(withSandbox("engine", [], { readable: [], writable: [] })[1].join(" ")).not.toMatch(/nvidia|dri|sys.devices /);
});

test("engines get the group of a device that not everybody may use", () => {
  expect(withDeviceGroup(undefined, ["/dev/null"])).toBeUndefined();
  const account = { uid: 65_533, gid: 65_533 };
  expect(withDeviceGroup(account, ["/dev/null"])).toEqual(account);
  expect(withDeviceGroup(account, [])).toEqual(account);
});
