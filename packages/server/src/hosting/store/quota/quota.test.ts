import { expect, test } from "vitest";
import { chooseDeletions, type QuotaFile } from "./quota.ts";

const file = (model_id: string, size: number, minute: number, more: Partial<QuotaFile> = {}): QuotaFile => ({
  model_id,
  sha256: model_id,
  size,
  projector_bytes: 0,
  lastUsedAt: new Date(minute * 60_000),
  isDeletable: true,
  ...more,
});
const idsOf = (files: readonly QuotaFile[] | null) => files?.map(({ model_id }) => model_id) ?? null;

test("nothing is deleted while a new file fits", () => {
  expect(chooseDeletions([file("a/old", 4, 1)], 6, 10)).toEqual([]);
});

test("the least recently used models are deleted first, and no more than needed", () => {
  const files = [file("a/new", 3, 9), file("a/old", 3, 1), file("a/middle", 3, 5)];
  expect(idsOf(chooseDeletions(files, 4, 10))).toEqual(["a/old"]);
  expect(idsOf(chooseDeletions(files, 7, 10))).toEqual(["a/old", "a/middle"]);
});

test("models that may not be deleted stay, and a file that does not fit beside them is refused", () => {
  const files = [file("a/loaded", 6, 1, { isDeletable: false }), file("a/other", 3, 9)];
  expect(idsOf(chooseDeletions(files, 4, 10))).toEqual(["a/other"]);
  expect(chooseDeletions(files, 5, 10)).toBeNull();
  expect(chooseDeletions([], 11, 10)).toBeNull();
});

test("a file that several models share takes its space once, and goes only with all of them", () => {
  const shared = { sha256: "same" };
  const files = [file("a/one", 6, 1, shared), file("a/two", 6, 8, shared), file("a/three", 2, 5)];
  expect(chooseDeletions(files, 2, 10)).toEqual([]);
  expect(idsOf(chooseDeletions(files, 4, 10))).toEqual(["a/three"]);
  expect(idsOf(chooseDeletions(files, 5, 10))).toEqual(["a/three", "a/one", "a/two"]);
  expect(
    chooseDeletions([file("a/one", 6, 1, { ...shared, isDeletable: false }), file("a/two", 6, 8, shared)], 5, 10),
  ).toBeNull();
});

test("the projector of a model counts with its file, and makes room with it", () => {
  const seeing = file("acme/sees", 60, 1, { projector_bytes: 30 });
  expect(idsOf(chooseDeletions([seeing], 20, 100))).toEqual(["acme/sees"]);
  expect(idsOf(chooseDeletions([seeing], 10, 100))).toEqual([]);
});
