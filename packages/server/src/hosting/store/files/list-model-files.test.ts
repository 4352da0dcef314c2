import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseHubFilesColumn, toHubFilesColumn } from "./hub-files-column.ts";
import { listModelFiles } from "./list-model-files.ts";

/** Creates a folder with these files, each as long as the number says. */
function createFolder(files: Readonly<Record<string, number>>): string {
  const folder = mkdtempSync(join(tmpdir(), "list-model-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), Buffer.alloc(bytes));
  }
  return folder;
}

test("lists complete model files in all folders by their path, with their sizes", async () => {
  const folder = createFolder({
    "b.gguf": 2,
    "a/model-00001-of-00002.gguf": 1,
    "repositories/acme--x/one/w.safetensors": 3,
  });
  expect(await listModelFiles(folder)).toEqual([
    { path: "a/model-00001-of-00002.gguf", bytes: 1 },
    { path: "b.gguf", bytes: 2 },
    { path: "repositories/acme--x/one/w.safetensors", bytes: 3 },
  ]);
});

test("leaves out files that are being downloaded or converted, but not those with a similar name", async () => {
  const folder = createFolder({ "parts/x.part": 1, "conversions/pull_1/x": 1, "partsy.gguf": 1, "a/parts/x.gguf": 1 });
  expect((await listModelFiles(folder)).map(({ path }) => path)).toEqual(["a/parts/x.gguf", "partsy.gguf"]);
});

test("lists no files of a folder that does not exist", async () => {
  expect(await listModelFiles(join(createFolder({}), "missing"))).toEqual([]);
});

test("fails for a folder that is a file, instead of listing nothing", async () => {
  const folder = createFolder({ "a.gguf": 1 });
  await expect(listModelFiles(join(folder, "a.gguf"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

test("the files of a repository are read from the database as they were stored", () => {
  const files = [
    { path: "a.gguf", size: 0, sha256: null },
    { path: "b.gguf", size: Number.MAX_SAFE_INTEGER, sha256: "a".repeat(64) },
  ];
  expect(parseHubFilesColumn(JSON.parse(toHubFilesColumn(files)))).toEqual(files);
});

test.each([
  ["null", null],
  ["an object", {}],
  ["a file without a path", [{ size: 1, sha256: null }]],
  ["a negative size", [{ path: "a", size: -1, sha256: null }]],
  ["a broken size", [{ path: "a", size: 0.5, sha256: null }]],
  ["a text", "[]"],
])("a damaged column of files is not read: %s", (_what, value) => {
  expect(parseHubFilesColumn(value)).toBeNull();
});
