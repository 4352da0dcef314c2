import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../platform/core/time.ts";
import { writeJournal } from "./partial-file.ts";
import { createStoreFolder, type StoreFolder } from "./store-folder.ts";

const SHA = "a".repeat(64);
const OTHER_SHA = "b".repeat(64);
const NOW = new Date("2026-03-01T12:00:00Z");
const RESERVED_BYTES = 256 * 1024 * 1024;
const NOTHING_USED = { usedChecksums: new Set<string>(), paused: [] };
const SPLIT = "tiny-00001-of-00002.gguf";

let root: string;
let free: number;
let store: StoreFolder;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "store-folder-"));
  free = RESERVED_BYTES + 1_000;
  store = createStoreFolder(root, async () => free);
});
afterEach(() => rmSync(root, { recursive: true }));

const nameOf = (file: string, sha256: string | null = SHA) => ({
  repository: "acme/tiny",
  revision: "one",
  file,
  sha256,
});

/** Writes a file that last changed the given time before `NOW`. */
function write(path: string, text: string, ageMs = 0): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const changedAt = new Date(NOW.getTime() - ageMs);
  utimesSync(path, changedAt, changedAt);
  return path;
}

/** Writes the partial file of a download, and its parts for a split file. */
async function writePartial(file: string, texts: readonly string[], sha256: string | null = SHA): Promise<string[]> {
  const paths = await store.preparePartial(nameOf(file, sha256));
  for (const [index, path] of paths.entries()) write(path, texts[index] ?? "");
  return paths;
}

describe("the paths of model files", () => {
  test("a complete file is named by its checksum, whatever its repository calls it", () => {
    const paths = ["tiny.gguf", "folder/../other.gguf"].map((file) => store.pathOf({ sha256: SHA, file }));
    expect(paths).toEqual([join(root, `${SHA}.gguf`), join(root, `${SHA}.gguf`)]);
  });

  test("the first part of a split file is what an engine loads", () => {
    expect(store.pathOf({ sha256: SHA, file: SPLIT })).toBe(join(root, SHA, "model-00001-of-00002.gguf"));
  });

  test("a partial file without a checksum is named by its repository, commit and path", async () => {
    const paths = await Promise.all(
      [nameOf("a.gguf", null), nameOf("b.gguf", null), { ...nameOf("a.gguf", null), revision: "two" }].map(
        async (name) => (await store.preparePartial(name))[0],
      ),
    );
    expect(new Set(paths).size).toBe(3);
    expect(await store.preparePartial(nameOf("a.gguf", null))).toEqual([paths[0]]);
  });
});

describe("a complete download", () => {
  test("a complete download becomes the file of its checksum", async () => {
    await writePartial("tiny.gguf", ["weights"]);
    await store.moveToStore(nameOf("tiny.gguf"), SHA);
    expect(readFileSync(join(root, `${SHA}.gguf`), "utf8")).toBe("weights");
    expect(await store.has({ sha256: SHA, file: "tiny.gguf" }, 7)).toBe(true);
    expect(readdirSync(join(root, "parts"))).toEqual([]);
  });

  test("a complete download replaces a damaged file of the same checksum", async () => {
    write(join(root, `${SHA}.gguf`), "half");
    await writePartial("tiny.gguf", ["weights"]);
    await store.moveToStore(nameOf("tiny.gguf"), SHA);
    expect(readFileSync(join(root, `${SHA}.gguf`), "utf8")).toBe("weights");
  });

  test("the parts of a split file are moved together, in place of former ones", async () => {
    write(join(root, SHA, "model-00001-of-00002.gguf"), "old");
    await writePartial(SPLIT, ["one", "three"]);
    await store.moveToStore(nameOf(SPLIT), SHA);
    expect(readdirSync(join(root, SHA))).toEqual(["model-00001-of-00002.gguf", "model-00002-of-00002.gguf"]);
    expect(await store.has({ sha256: SHA, file: SPLIT }, 8)).toBe(true);
  });

  test("a file that is missing or has another size is not there", async () => {
    const file = { sha256: SHA, file: "tiny.gguf" };
    expect(await store.has(file, 7)).toBe(false);
    write(store.pathOf(file), "weigh");
    expect(await store.has(file, 7)).toBe(false);
  });

  test("a split file of which a part is missing is not there", async () => {
    write(join(root, SHA, "model-00001-of-00002.gguf"), "one");
    expect(await store.has({ sha256: SHA, file: SPLIT }, 8)).toBe(false);
  });

  test("a converted file is moved into the store, which returns its size", async () => {
    const converted = write(join(store.conversionFolder("pull_1"), "out.gguf"), "converted");
    expect(await store.addFile(converted, { sha256: SHA, file: "tiny-Q8_0.gguf" })).toBe(9);
    expect(existsSync(converted)).toBe(false);
    expect(readFileSync(join(root, `${SHA}.gguf`), "utf8")).toBe("converted");
  });
});

describe("the space for a download", () => {
  test("a download fits if the free bytes hold it without the bytes that are reserved for the database", async () => {
    expect(await store.checkSpace(nameOf("tiny.gguf"), 1_000)).toEqual({ needed: 1_000, free: 1_000, fits: true });
    expect(await store.checkSpace(nameOf("tiny.gguf"), 1_001)).toMatchObject({ needed: 1_001, fits: false });
    expect(await store.checkFree(1_001)).toEqual({ needed: 1_001, free: 1_000, fits: false });
  });

  test("a disk with less than the reserved bytes has no free ones", async () => {
    free = RESERVED_BYTES - 1;
    expect(await store.checkFree(0)).toEqual({ needed: 0, free: 0, fits: true });
    expect(await store.checkFree(1)).toMatchObject({ free: 0, fits: false });
  });

  test("a download needs only the bytes that its partial file lacks", async () => {
    await writePartial("tiny.gguf", ["x".repeat(400)]);
    expect(await store.checkSpace(nameOf("tiny.gguf"), 1_200)).toMatchObject({ needed: 800, fits: true });
  });

  test("the bytes that a journal lists as missing count as needed, although the file has its full length", async () => {
    const [path = ""] = await writePartial("tiny.gguf", ["x".repeat(1_000)]);
    await writeJournal(path, 1_000, { missing: [{ position: 100, end: 400 }], etag: null });
    expect(await store.checkSpace(nameOf("tiny.gguf"), 1_000)).toMatchObject({ needed: 300 });
  });

  test("the parts of a split file that are here count together", async () => {
    await writePartial(SPLIT, ["x".repeat(100), "x".repeat(50)]);
    expect(await store.checkSpace(nameOf(SPLIT), 1_000)).toMatchObject({ needed: 850 });
  });

  test("a partial file with more bytes than the file needs no space", async () => {
    await writePartial("tiny.gguf", ["x".repeat(2_000)]);
    expect(await store.checkSpace(nameOf("tiny.gguf"), 1_000)).toMatchObject({ needed: 0 });
  });
});

describe("the deletion of files that no model uses", () => {
  test("a file without a row is deleted an hour after its last change, not before", async () => {
    const recent = write(join(root, `${SHA}.gguf`), "x", HOUR_MS);
    const old = write(join(root, `${OTHER_SHA}.gguf`), "x", HOUR_MS + 1);
    await store.deleteUnused(NOTHING_USED, NOW);
    expect([existsSync(recent), existsSync(old)]).toEqual([true, false]);
  });

  test("a file that a row uses is kept, however old it is", async () => {
    const used = write(join(root, `${SHA}.gguf`), "x", 1_000 * DAY_MS);
    await store.deleteUnused({ usedChecksums: new Set([SHA]), paused: [] }, NOW);
    expect(existsSync(used)).toBe(true);
  });

  test("a file that was touched just now is kept until its row is stored", async () => {
    const path = write(join(root, `${SHA}.gguf`), "x", 2 * HOUR_MS);
    await store.touch({ sha256: SHA, file: "tiny.gguf" }, NOW);
    await store.deleteUnused(NOTHING_USED, NOW);
    expect(existsSync(path)).toBe(true);
  });

  test("a split file counts as changed when its newest part did", async () => {
    const parts = [1, 2].map((part) => join(root, SHA, `model-0000${part}-of-00002.gguf`));
    for (const path of parts) write(path, "x", 2 * HOUR_MS);
    utimesSync(join(root, SHA), NOW, new Date(NOW.getTime() - 2 * HOUR_MS));
    await store.touch({ sha256: SHA, file: SPLIT }, NOW);
    await store.deleteUnused(NOTHING_USED, NOW);
    expect(readdirSync(join(root, SHA)).length).toBe(2);
    await store.deleteUnused(NOTHING_USED, new Date(NOW.getTime() + 2 * HOUR_MS));
    expect(existsSync(join(root, SHA))).toBe(false);
  });

  test("files and folders that are not named by a checksum are never deleted", async () => {
    const names = ["README", "repositories/acme--tiny/one/model.safetensors", "ABC.gguf"];
    for (const name of names) write(join(root, name), "x", 1_000 * DAY_MS);
    utimesSync(join(root, "repositories"), new Date(0), new Date(0));
    await store.deleteUnused(NOTHING_USED, NOW);
    expect(names.map((name) => existsSync(join(root, name)))).toEqual([true, true, true]);
  });

  test("a partial file is deleted with its journal two weeks after its last change", async () => {
    const [path = ""] = await writePartial("tiny.gguf", ["x"]);
    const [otherPath = ""] = await writePartial("tiny.gguf", ["x"], OTHER_SHA);
    await writeJournal(path, 10, { missing: [{ position: 1, end: 10 }], etag: null });
    write(path, "x", 14 * DAY_MS + 1);
    write(otherPath, "x", 14 * DAY_MS);
    await store.deleteUnused(NOTHING_USED, NOW);
    expect(readdirSync(join(root, "parts"))).toEqual([`${OTHER_SHA}.part`]);
  });

  test("the partial file of a paused download is kept, however old it is", async () => {
    const [path = ""] = await writePartial("tiny.gguf", ["x"], null);
    write(path, "x", 1_000 * DAY_MS);
    await store.deleteUnused({ usedChecksums: new Set(), paused: [nameOf("tiny.gguf", null)] }, NOW);
    expect(existsSync(path)).toBe(true);
  });

  test("a store that has no folder yet is left as it is", async () => {
    const missing = createStoreFolder(join(root, "missing"), async () => free);
    await missing.deleteUnused(NOTHING_USED, NOW);
    expect(existsSync(join(root, "missing"))).toBe(false);
  });

  test("the folders of ended conversions are deleted, those of others kept", async () => {
    for (const id of ["pull_1", "pull_2"]) write(join(store.conversionFolder(id), "out.gguf"), "x");
    await store.deleteConversions(new Set(["pull_2"]));
    expect(readdirSync(join(root, "conversions"))).toEqual(["pull_2"]);
  });

  test("removing a file removes it in either form, and removing it again changes nothing", async () => {
    write(join(root, `${SHA}.gguf`), "x");
    write(join(root, SHA, "model-00001-of-00002.gguf"), "x");
    write(join(root, `${OTHER_SHA}.gguf`), "x");
    await store.remove(SHA);
    await store.remove(SHA);
    expect(readdirSync(root)).toEqual([`${OTHER_SHA}.gguf`]);
  });
});
