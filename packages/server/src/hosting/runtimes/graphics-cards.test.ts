import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createGpuReader, parseGpus, readGpus } from "./graphics-cards.ts";

const folder = mkdtempSync(join(tmpdir(), "gpus-"));
afterAll(() => rmSync(folder, { recursive: true }));

function writeCommand(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const GPU = { name: "NVIDIA H100 80GB HBM3", totalBytes: 81559 * 1024 ** 2, freeBytes: 81008 * 1024 ** 2 };

test("reads the cards and their memory from nvidia-smi", async () => {
  const output = "NVIDIA H100 80GB HBM3, 81559, 81008\nTesla T4, 15360, 15101\n";
  expect(parseGpus(output).map(({ name }) => name)).toEqual(["NVIDIA H100 80GB HBM3", "Tesla T4"]);
  const query = '[ "$1" = "--query-gpu=name,memory.total,memory.free" ] && [ "$2" = "--format=csv,noheader,nounits" ]';
  const works = writeCommand("nvidia-smi", `${query} && echo "${GPU.name}, 81559, 81008"`);
  expect(await readGpus(works)).toEqual([GPU]);
});

test("lists no cards where nvidia-smi is missing, fails or writes something else", async () => {
  const fails = writeCommand("fails", 'echo "NVIDIA-SMI has failed"; exit 9');
  expect([
    await readGpus(join(folder, "missing")),
    await readGpus(fails),
    parseGpus("No devices were found\n"),
  ]).toEqual([[], [], []]);
});

test("reads the cards at most once in ten seconds", async () => {
  let now = 0;
  let count = 0;
  const read = createGpuReader({ now: () => new Date(now) }, async () => {
    count += 1;
    return [GPU];
  });
  expect([await read(), await read(), count]).toEqual([[GPU], [GPU], 1]);
  now = 10_001;
  await read();
  expect(count).toBe(2);
});
