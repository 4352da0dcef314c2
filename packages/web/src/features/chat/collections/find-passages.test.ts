import type { CollectionSearchRequest } from "@feather/sdk";
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

function setup() {
  const requests: CollectionSearchRequest[] = [];
  return {
    requests,
    list: async () => ({ items: [{ id: "col_1", name: "Handbook" }] }),
    search: async (request: CollectionSearchRequest) => {
      requests.push(request);
      return { items: [hit, { ...hit, collection_id: "col_2" }], compared_by: "words" as const, problems: ["Slow."] };
    },
  };
}

test("passages have the name of their collection, which is empty for one that is not listed", async () => {
  expect(await findPassages(setup(), ["col_1"], "How many days?", signal)).toEqual({
    passages: [
      { ...passage, collection_name: "Handbook" },
      { ...passage, collection_id: "col_2", collection_name: "" },
    ],
    problems: ["Slow."],
  });
});

test("a question that is longer than a search takes is cut, without half a character", async () => {
  const api = setup();
  await findPassages(api, ["col_1"], `${"a".repeat(3_999)}\u{1f600}`, signal);
  expect(api.requests[0]?.query).toBe(`${"a".repeat(3_999)}\ufffd`);
});

test("a new conversation searches no collections, and one searches no more than a search takes", () => {
  expect(chosenCollections(DEFAULT_SETTINGS)).toEqual([]);
  const ids = Array.from({ length: MAX_CHOSEN_COLLECTIONS + 1 }, (_, index) => `col_${index}`);
  const settings = withChosenCollections(DEFAULT_SETTINGS, ids);
  expect(chosenCollections(settings)).toEqual(ids.slice(0, MAX_CHOSEN_COLLECTIONS));
  expect(chosenCollections(settingsSchema.parse(settings))).toEqual(chosenCollections(settings));
});
