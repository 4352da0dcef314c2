import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { chooseGpuBindings, gpuBindingsFolder, installGpuBindings, readGpuSetting } from "./gpu.mjs";

const machine: Parameters<typeof chooseGpuBindings>[0] = {
  setting: undefined,
  platform: "linux",
  arch: "x64",
  isGlibc: true,
  readNvidia: () => "",
  listNodes: () => [],
  hasVulkan: () => true,
};
const NVIDIA = { readNvidia: (): string => "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n" };
const RENDER = { listNodes: () => ["card0", "renderD128"] };

test.each([
  ["none without a graphics card", {}, []],
  ["CUDA and Vulkan where nvidia-smi lists a card", NVIDIA, ["cuda", "vulkan"]],
  ["CUDA alone without the loader of Vulkan", { ...NVIDIA, ...RENDER, hasVulkan: (): boolean => false }, ["cuda"]],
  ["Vulkan where there is a render node", RENDER, ["vulkan"]],
  ["none without the loader of Vulkan", { ...RENDER, hasVulkan: (): boolean => false }, []],
  ["none where nvidia-smi finds no driver", { readNvidia: (): string => "NVIDIA-SMI has failed" }, []],
  ["none when the setting is off", { ...NVIDIA, setting: "off" }, []],
  ["Vulkan when the setting says so", { ...NVIDIA, setting: "vulkan" }, ["vulkan"]],
  ["CUDA when the setting says so, without a card", { setting: "cuda" }, ["cuda"]],
  ["none with another C library", { ...NVIDIA, isGlibc: false }, []],
  ["none on a Mac, whose packages have Metal", { ...NVIDIA, platform: "darwin", arch: "arm64" }, []],
  ["none on another processor", { ...NVIDIA, arch: "arm64" }, []],
])("needs %s", (_title, change, expected) => {
  expect(chooseGpuBindings({ ...machine, ...change })).toEqual(expected);
});

test("a machine without a graphics card is searched for nothing but its devices", () => {
  const requested: string[] = [];
  const note = <Value>(name: string, value: Value) => {
    requested.push(name);
    return value;
  };
  const readNvidia = () => note("nvidia-smi", "");
  const listNodes = () => note("/dev/dri", []);
  const hasVulkan = () => note("loader", true);
  chooseGpuBindings({ ...machine, readNvidia, listNodes, hasVulkan });
  expect(requested).toEqual(["nvidia-smi", "/dev/dri"]);
});

function createRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "feather-gpu-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "scripts/gpu/vulkan"), { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) writeFileSync(join(root, "scripts/gpu/vulkan", name), "{}");
  return root;
}

test("bindings are installed by npm without install scripts, and linked to where they are found", () => {
  const root = createRoot();
  const problem = installGpuBindings(root, "vulkan", (command, args) => {
    expect([command, args.slice(0, 2)]).toEqual(["npm", ["ci", "--ignore-scripts"]]);
    const folder = join(args.at(-1) ?? "", "node_modules/@node-llama-cpp/linux-x64-vulkan");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), "{}");
    return { status: 0, stderr: "" };
  });
  expect(problem).toBeNull();
  expect(existsSync(join(gpuBindingsFolder(root, "vulkan"), "package.json"))).toBe(true);
});

test("says why bindings could not be installed, and leaves nothing where they are looked for", () => {
  const root = createRoot();
  const stderr = "npm error network request failed\nnpm error A complete log of this run is in: x\n";
  expect(installGpuBindings(root, "vulkan", () => ({ status: 1, stderr }))).toBe("npm error network request failed");
  expect(existsSync(gpuBindingsFolder(root, "vulkan"))).toBe(false);
});

test("all bindings are pinned by hash to the version of node-llama-cpp", () => {
  const read = (path: string) => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"));
  const version = read("packages/engine/package.json").dependencies["node-llama-cpp"];
  for (const [type, count] of [["cuda", 2] as const, ["vulkan", 1] as const]) {
    const { packages } = read(`scripts/gpu/${type}/package-lock.json`) as { packages: Record<string, object> };
    const { "": _root, ...installed } = packages;
    expect(Object.keys(installed)).toHaveLength(count);
    for (const entry of Object.values(installed))
      expect(entry).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) });
  }
});

describe("the setting for the graphics card", () => {
  const read = (text: string, env: NodeJS.ProcessEnv = {}) => {
    const folder = mkdtempSync(join(tmpdir(), "gpu-setting-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "feather.config.yaml"), text);
    return readGpuSetting(folder, env);
  };

  test.each([
    ["FEATHER_PORT: 4000\nFEATHER_GPU: vulkan\n", "vulkan"],
    ["FEATHER_GPU: 'off' # no card\r\n", "off"],
    ['FEATHER_GPU: "cuda"', "cuda"],
    ["# FEATHER_GPU: vulkan", undefined],
    ["FEATHER_GPU_MEMORY: 8000", undefined],
    ["FEATHER_GPU:", undefined],
  ])("is read from the settings file %j as %s", (text, setting) => {
    expect(read(text)).toBe(setting);
  });

  test("is taken from the environment first, as the server does", () => {
    expect(read("FEATHER_GPU: vulkan", { FEATHER_GPU: "off" })).toBe("off");
    expect(read("FEATHER_GPU: vulkan", { FEATHER_GPU: "" })).toBe("vulkan");
  });

  test("is not set without a settings file", () => {
    expect(readGpuSetting("/nonexistent", {})).toBeUndefined();
  });
});
