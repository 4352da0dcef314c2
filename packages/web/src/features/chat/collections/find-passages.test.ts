import type { CollectionSearchRequest, PassagesRequest } from "@feather/sdk";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../conversation/settings.ts";
import { settingsSchema } from "../conversation/settings-schema.ts";
import { chosenCollections, MAX_CHOSEN_COLLECTIONS, withChosenCollections } from "./chosen-collections.ts";
import { findPassages } from "./find-passages.ts";

const { signal } = new AbortController();
const passage = {
  collection_id: "col_1",
  document_id: "doc_1",
  document_name: "rules.pdf",
  number: 3,
  page: 2,
  text: "x",
};
const hit = { ...passage, start: 0, end: 1, score: 0.03, rank_by_words: 1, rank_by_meaning: null };

const NO_FILES = { files: [], filePassages: 12 };
const file = (id: string, name: string, data: string, pages?: number) => ({
  ...{ id, kind: "text" as const, name, type: "text/plain", size: data.length, data, pages },
});

function setup() {
  const requests: CollectionSearchRequest[] = [];
  const fileRequests: PassagesRequest[] = [];
  return {
    requests,
    fileRequests,
    list: async () => ({ items: [{ id: "col_1", name: "Handbook" }] }),
    search: async (request: CollectionSearchRequest) => {
      requests.push(request);
      return { items: [hit, { ...hit, collection_id: "col_2" }], compared_by: "words" as const, problems: ["Slow."] };
    },
    searchFiles: async (request: PassagesRequest) => {
      fileRequests.push(request);
      const place = { start: 0, end: 1, score: 0.03, rank_by_words: 1, rank_by_meaning: null };
      return {
        items: [{ document: 1, document_name: "b.pdf", number: 9, page: 4, text: "y", ...place }],
        documents: request.documents.map(({ name }, index) => ({ name, passages: 240 + index })),
        compared_by: "words" as const,
        problems: ["Slow."],
      };
    },
  };
}

test("passages have the name of their collection, which is empty for one that is not listed", async () => {
  expect(await findPassages(setup(), { ids: ["col_1"], ...NO_FILES }, "How many days?", signal)).toEqual({
    passages: [
      { ...passage, collection_name: "Handbook" },
      { ...passage, collection_id: "col_2", collection_name: "" },
    ],
    counts: new Map(),
    problems: ["Slow."],
  });
});

test("passages of long files come before those of collections, with the file, and how many each has", async () => {
  const api = setup();
  const files = [file("f1", "a\u202e.txt", "text\0"), file("f2", "b.pdf", "long", 12)];
  const found = await findPassages(api, { ids: ["col_1"], files, filePassages: 6 }, "How many days?", signal);
  expect(api.fileRequests).toEqual([
    {
      documents: [
        { name: "a .txt", text: "text", has_pages: false },
        { name: "b.pdf", text: "long", has_pages: true },
      ],
      ...{ query: "How many days?", limit: 6 },
    },
  ]);
  expect(found.passages.map(({ document_id, collection_id }) => [document_id, collection_id])).toEqual([
    ["f2", ""],
    ["doc_1", "col_1"],
    ["doc_1", "col_2"],
  ]);
  expect(found.passages[0]).toMatchObject({ document_name: "b.pdf", number: 9, page: 4, text: "y" });
  expect([...found.counts]).toEqual([
    ["f1", 240],
    ["f2", 241],
  ]);
  expect(found.problems).toEqual(["Slow."]);
});

test("without collections none are searched", async () => {
  const api = setup();
  await findPassages(api, { ids: [], files: [file("f1", "a.txt", "text")], filePassages: 6 }, "days", signal);
  expect(api.requests).toEqual([]);
});

test("a question that is longer than a search takes is cut, without half a character", async () => {
  const api = setup();
  await findPassages(api, { ids: ["col_1"], ...NO_FILES }, `${"a".repeat(3_999)}\u{1f600}`, signal);
  expect(api.requests[0]?.query).toBe(`${"a".repeat(3_999)}\ufffd`);
});

test("a new conversation searches no collections, and one searches no more than a search takes", () => {
  expect(chosenCollections(DEFAULT_SETTINGS)).toEqual([]);
  const ids = Array.from({ length: MAX_CHOSEN_COLLECTIONS + 1 }, (_, index) => `col_${index}`);
  const settings = withChosenCollections(DEFAULT_SETTINGS, ids);
  expect(chosenCollections(settings)).toEqual(ids.slice(0, MAX_CHOSEN_COLLECTIONS));
  expect(chosenCollections(settingsSchema.parse(settings))).toEqual(chosenCollections(settings));
});
