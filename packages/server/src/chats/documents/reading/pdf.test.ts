import { expect, test } from "vitest";
import { pdf } from "../testing/sample-documents.ts";
import { readDocument } from "./read-document.ts";

const LIMITS = { pages: 10, characters: 10_000, unpackedBytes: 1_000_000 };
const read = (bytes: Buffer, limits = LIMITS) => readDocument(bytes, "report.pdf", limits);

test("a PDF is read page by page, and each page is marked", async () => {
  const bytes = await pdf(["Feathers are light.\nThey insulate.", "Größe: 5 €"]);
  expect(await read(bytes)).toEqual({
    contents: {
      type: "application/pdf",
      text: "--- page 1 of 2 ---\nFeathers are light.\nThey insulate.\n\n--- page 2 of 2 ---\nGröße: 5 €",
      pages: 2,
      pagesRead: 2,
      cut_at: null,
    },
  });
});

test("a page without text between others is marked too", async () => {
  const outcome = await read(await pdf(["One", "", "Three"]));
  expect(outcome).toMatchObject({
    contents: { text: "--- page 1 of 3 ---\nOne\n\n--- page 2 of 3 ---\n\n\n--- page 3 of 3 ---\nThree" },
  });
});

test("a PDF of pictures is said to hold no text", async () => {
  expect(await read(await pdf(["", ""]))).toEqual({ problem: { kind: "no_text" } });
});

test("a PDF that needs a password is said to be encrypted", async () => {
  expect(await read(await pdf(["Secret"], { userPassword: "x" }))).toEqual({ problem: { kind: "encrypted" } });
});

test("a PDF that only its owner may change is read", async () => {
  expect(await read(await pdf(["Open"], { ownerPassword: "x" }))).toMatchObject({ contents: { pages: 1 } });
});

test("a PDF of 10,000 pages is read to the limit of pages and says so", async () => {
  const bytes = await pdf(Array.from({ length: 10_000 }, (_, index) => `p${index + 1}`));
  const outcome = await read(bytes, { ...LIMITS, pages: 3 });
  expect(outcome).toMatchObject({ contents: { pages: 10_000, pagesRead: 3, cut_at: "pages" } });
  expect(outcome).toMatchObject({ contents: { text: expect.stringMatching(/--- page 3 of 10000 ---\np3$/) } });
});

test("a long PDF ends at the limit of characters, and the pages after it are not read", async () => {
  const outcome = await read(await pdf(["a".repeat(50), "b".repeat(50), "c"]), { ...LIMITS, characters: 100 });
  expect(outcome).toMatchObject({ contents: { pages: 3, pagesRead: 2, cut_at: "characters" } });
});

test.each([
  ["that ends after its head", (bytes: Buffer) => bytes.subarray(0, 40)],
  ["of a head alone", () => Buffer.from("%PDF-1.7\n")],
  ["with random content", () => Buffer.from(`%PDF-1.7\n${"\u0001garbage obj <<".repeat(200)}`)],
])("a PDF %s is said to be damaged", async (_what, damage) => {
  expect(await read(damage(await pdf(["x"])))).toEqual({ problem: { kind: "damaged" } });
});

test("a PDF without its table of objects is repaired and read", async () => {
  const bytes = await pdf(["Rescued"]);
  const cut = bytes.subarray(0, bytes.lastIndexOf("startxref"));
  expect(await read(cut)).toMatchObject({ contents: { text: "--- page 1 of 1 ---\nRescued" } });
});
