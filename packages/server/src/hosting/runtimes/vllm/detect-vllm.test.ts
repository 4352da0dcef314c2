import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SettingsError } from "../../../platform/core/settings.ts";
import { describeVllm, detectVllm } from "./detect-vllm.ts";

const folder = mkdtempSync(join(tmpdir(), "vllm-"));
const command = writeCommand("vllm", "exit 0");
afterAll(() => rmSync(folder, { recursive: true }));

function writeCommand(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const GPU = { name: "NVIDIA H100 80GB HBM3", totalBytes: 81559 * 1024 ** 2, freeBytes: 81008 * 1024 ** 2 };
const oneGpu = [GPU];

test("finds vLLM on the path, and the first graphics card", () => {
  const found = detectVllm(undefined, `/nonexistent:${folder}`, oneGpu);
  expect(found).toEqual({ state: "on", command, gpu: GPU });
  expect(describeVllm(found)).toBe(`Models in safetensors files run with vLLM (${command}) on ${GPU.name}.`);
});

test.each([
  ["it is not installed", undefined, "/nonexistent", oneGpu, "not_installed", null],
  ["it is switched off", "off", folder, oneGpu, "off", null],
  ["there is no graphics card", command, "", [], "no_gpu", "vLLM is installed, but nvidia-smi lists no graphics card."],
])("does not use vLLM where %s", (_name, setting, path, gpus, state, line) => {
  const found = detectVllm(setting, path, gpus);
  expect(found).toMatchObject({ state, reason: expect.any(String) });
  expect(describeVllm(found)).toBe(line);
});

test("refuses a setting that names no command", () => {
  expect(() => detectVllm(join(folder, "missing"), folder, oneGpu)).toThrow(SettingsError);
});
