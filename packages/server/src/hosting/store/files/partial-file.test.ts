import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fc } from "@feather/testing/properties";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import {
  countBytesHere,
  deletePartialFile,
  keepBeginning,
  readPartialFile,
  splitRange,
  sumRanges,
  toPartialName,
  writeJournal,
} from "./partial-file.ts";

const SIZE = 100;
const ETAG = '"abc"';
const folder = mkdtempSync(join(tmpdir(), "partial-file-"));
const part = join(folder, "model.part");
const journal = `${part}.missing`;
const EVERYTHING = { missing: [{ position: 0, end: SIZE }], etag: null, hasJournal: false };

beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true }));

const writePart = (bytes: number) => writeFileSync(part, Buffer.alloc(bytes));

describe("a partial file without a journal", () => {
  test("a partial file that does not exist lacks all bytes", async () => {
    expect(await readPartialFile(part, SIZE)).toEqual(EVERYTHING);
    expect(await countBytesHere(part)).toBe(0);
  });

  test("a partial file without a journal lacks the bytes after its last one", async () => {
    writePart(40);
    expect(await readPartialFile(part, SIZE)).toMatchObject({ missing: [{ position: 40, end: SIZE }] });
    expect(await countBytesHere(part)).toBe(40);
  });

  test("a partial file with all bytes lacks none", async () => {
    writePart(SIZE);
    expect(await readPartialFile(part, SIZE)).toMatchObject({ missing: [] });
  });

  test("an empty file is complete from the beginning", async () => {
    expect(await readPartialFile(part, 0)).toMatchObject({ missing: [] });
  });

  test("a partial file that is longer than the file is deleted and downloaded from the beginning", async () => {
    writePart(SIZE + 1);
    expect(await readPartialFile(part, SIZE)).toEqual(EVERYTHING);
    expect(existsSync(part)).toBe(false);
  });
});

describe("the journal of a partial file", () => {
  const missing = [
    { position: 10, end: 20 },
    { position: 60, end: SIZE },
  ];

  test("a journal says which ranges are missing, and the ETag of the bytes that are here", async () => {
    writePart(60);
    await writeJournal(part, SIZE, { missing, etag: ETAG });
    expect(await readPartialFile(part, SIZE)).toEqual({ missing, etag: ETAG, hasJournal: true });
    expect(await countBytesHere(part)).toBe(50);
  });

  test("a journal leaves out ranges that have been downloaded", async () => {
    writePart(SIZE);
    await writeJournal(part, SIZE, { missing: [{ position: 30, end: 30 }], etag: null });
    expect(await readPartialFile(part, SIZE)).toEqual({ missing: [], etag: null, hasJournal: true });
    expect(await countBytesHere(part)).toBe(SIZE);
  });

  test("a new journal replaces the former one and leaves no other file", async () => {
    writePart(60);
    await writeJournal(part, SIZE, { missing, etag: ETAG });
    await writeJournal(part, SIZE, { missing: missing.slice(1), etag: ETAG });
    expect(readdirSync(folder).sort()).toEqual(["model.part", "model.part.missing"]);
    expect(await countBytesHere(part)).toBe(60);
  });

  test("a partial file that lacks bytes which its journal counts as downloaded is deleted", async () => {
    writePart(59);
    await writeJournal(part, SIZE, { missing, etag: ETAG });
    expect(await readPartialFile(part, SIZE)).toEqual(EVERYTHING);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("ranges that are missing at the end need no bytes on the disk, however many they are", async () => {
    writePart(50);
    const end = [
      { position: 50, end: 70 },
      { position: 70, end: SIZE },
    ];
    await writeJournal(part, SIZE, { missing: end, etag: ETAG });
    expect(await readPartialFile(part, SIZE)).toMatchObject({ missing: end, hasJournal: true });
  });

  test("the journal of a file of another size is deleted with its partial file", async () => {
    writePart(60);
    await writeJournal(part, SIZE + 1, { missing, etag: ETAG });
    expect(await readPartialFile(part, SIZE)).toEqual(EVERYTHING);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ["empty", ""],
    ["cut off", '{"size":100,"missing":[[10,'],
    ["no object", "null"],
    ["without ranges", '{"size":100,"etag":null}'],
    ["with a size that is no number", '{"size":"100","etag":null,"missing":[]}'],
    ["with a range that is no pair", '{"size":100,"etag":null,"missing":[1]}'],
    ["with a position that is no number", '{"size":100,"etag":null,"missing":[["0",100]]}'],
    ["with a range that ends before it begins", '{"size":100,"etag":null,"missing":[[70,60]]}'],
    ["with a range beyond the end of the file", '{"size":100,"etag":null,"missing":[[90,110]]}'],
    ["with a range before the beginning", '{"size":100,"etag":null,"missing":[[-10,10]]}'],
  ])(
    "a partial file whose journal is damaged (%s) is deleted and downloaded from the beginning",
    async (_how, text) => {
      writePart(60);
      writeFileSync(journal, text);
      expect(await countBytesHere(part)).toBe(0);
      expect(await readPartialFile(part, SIZE)).toEqual(EVERYTHING);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test("a partial file that is cut to its beginning keeps these bytes and loses its journal", async () => {
    writeFileSync(part, "0123456789");
    await writeJournal(part, 10, { missing: [{ position: 5, end: 6 }], etag: ETAG });
    await keepBeginning(part, 5);
    expect(readFileSync(part, "utf8")).toBe("01234");
    expect(readdirSync(folder)).toEqual(["model.part"]);
  });

  test("deleting a partial file deletes its journals too, and deleting it again changes nothing", async () => {
    writePart(60);
    await writeJournal(part, SIZE, { missing, etag: ETAG });
    writeFileSync(`${journal}.new`, "{");
    await deletePartialFile(part);
    expect(readdirSync(folder)).toEqual([]);
    await deletePartialFile(part);
  });
});

test.each([
  ["model.part", "model.part"],
  ["model.part.missing", "model.part"],
  ["model.part.missing.new", "model.part"],
])("the file %s belongs to the partial file %s", (name, partial) => {
  expect(toPartialName(name)).toBe(partial);
});

test("the parts of a range follow one another, cover all of it, and differ by at most one byte", () => {
  const ranges = fc.record({ position: fc.nat(1e9), length: fc.nat(1e12), count: fc.integer({ min: 1, max: 32 }) });
  fc.assert(
    fc.property(ranges, ({ position, length, count }) => {
      const end = position + length;
      const parts = splitRange({ position, end }, count);
      expect(parts.length).toBe(count);
      expect([parts[0]?.position, parts.at(-1)?.end]).toEqual([position, end]);
      for (const [index, { position: start }] of parts.entries())
        if (index > 0) expect(start).toBe(parts[index - 1]?.end);
      const sizes = parts.map((range) => range.end - range.position);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      expect(sumRanges(parts)).toBe(length);
    }),
  );
});

test("a journal is read as it was written, for any missing ranges", async () => {
  const bounds = fc.uniqueArray(fc.integer({ min: 0, max: SIZE }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(bounds, async (positions) => {
      const sorted = positions.toSorted((a, b) => a - b);
      const missing = sorted.flatMap((position, index) => {
        const end = sorted[index + 1];
        return index % 2 === 0 && end !== undefined ? [{ position, end }] : [];
      });
      writePart(SIZE);
      await writeJournal(part, SIZE, { missing, etag: ETAG });
      expect(await readPartialFile(part, SIZE)).toEqual({ missing, etag: ETAG, hasJournal: true });
      expect(await countBytesHere(part)).toBe(SIZE - sumRanges(missing));
    }),
    { numRuns: 50 },
  );
});
