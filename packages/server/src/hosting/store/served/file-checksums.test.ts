import { mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "@feather/testing/wait-for";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFileChecksums } from "./file-checksums.ts";

const LARGE_BYTES = 64 * 1024 * 1024;
const MAX_WAIT_MS = 1;

let folder: string;
let computed: { path: string; finish(sha256: string): void; fail(): void }[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "checksums-"));
  computed = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns checksums whose computation the test completes. */
function createChecksums() {
  return createFileChecksums({
    maxWaitMs: MAX_WAIT_MS,
    compute: (path) =>
      new Promise((resolve, reject) => {
        computed.push({ path, finish: resolve, fail: () => reject(new Error("EIO")) });
      }),
  });
}
function createFile(name: string, bytes = LARGE_BYTES): string {
  const path = join(folder, name);
  writeFileSync(path, "");
  truncateSync(path, bytes);
  return path;
}
const COMPUTING = { isHere: true, sha256: null };
const done = (sha256: string) => ({ isHere: true, sha256 });
const waitForReads = (count: number) => waitFor(() => expect(computed).toHaveLength(count));

test("a request does not wait long for the checksum of a large file, which is computed once", async () => {
  const checksums = createChecksums();
  const path = createFile("part-1.gguf");
  expect(await checksums.find(path)).toEqual(COMPUTING);
  expect(await checksums.find(path)).toEqual(COMPUTING);
  computed[0]?.finish("c0ffee");
  await waitFor(async () => expect(await checksums.find(path)).toEqual(done("c0ffee")));
  expect(computed).toHaveLength(1);
});

test("large files are read one after the other, also after one that cannot be read", async () => {
  const checksums = createChecksums();
  const paths = ["a", "b"].map((name) => createFile(name));
  checksums.prepare(paths);
  checksums.prepare(paths);
  await waitForReads(1);
  expect(await checksums.find(paths[1] ?? "")).toEqual(COMPUTING);
  expect(computed).toHaveLength(1);
  computed[0]?.fail();
  await waitForReads(2);
  expect(new Set(computed.map(({ path }) => path)).size).toBe(2);
});

test("a small file does not wait for large ones", async () => {
  const checksums = createChecksums();
  checksums.prepare([createFile("large")]);
  await waitForReads(1);
  const small = createFile("config.json", 10);
  void checksums.find(small);
  await waitForReads(2);
  computed[1]?.finish("5ma11");
  await waitFor(async () => expect(await checksums.find(small)).toEqual(done("5ma11")));
});

test("the next process knows the checksum of a large file, and reads it again once the file has changed", async () => {
  const path = createFile("weights");
  const first = createChecksums();
  first.prepare([path]);
  await waitForReads(1);
  computed[0]?.finish("c0ffee");
  await waitFor(async () => expect(await first.find(path)).toEqual(done("c0ffee")));
  await waitFor(async () => expect(await createChecksums().find(path)).toEqual(done("c0ffee")));
  expect(computed).toHaveLength(1);
  expect(readdirSync(folder).toSorted()).toEqual([".checksums", "weights"]);
  utimesSync(path, 1, 1);
  expect(await createChecksums().find(path)).toEqual(COMPUTING);
  await waitForReads(2);
});

test("a record that cannot be read is replaced", async () => {
  writeFileSync(join(folder, ".checksums"), "{");
  const checksums = createChecksums();
  const path = createFile("weights");
  checksums.prepare([path]);
  await waitForReads(1);
  computed[0]?.finish("c0ffee");
  await waitFor(async () => expect(await createChecksums().find(path)).toEqual(done("c0ffee")));
});

test("a file that its name gives the checksum of is not read, and one that is gone is not found", async () => {
  const sha256 = "a".repeat(64);
  const checksums = createChecksums();
  expect(await checksums.find(createFile(`${sha256}.gguf`))).toEqual(done(sha256));
  expect(await checksums.find(join(folder, "none"))).toEqual({ isHere: false, sha256: null });
  expect(computed).toEqual([]);
});
