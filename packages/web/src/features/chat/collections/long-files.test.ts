import { expect, test } from "vitest";
import { question } from "#/testing/conversations.ts";
import type { Attachment } from "../conversation/types.ts";
import { chooseLongFiles, countFilePassages, isSearched, listSearchedFiles, takeSearchable } from "./long-files.ts";

const file = (id: string, data: string, more: Partial<Attachment> = {}): Attachment => ({
  ...{ id, kind: "text", name: `${id}.txt`, type: "text/plain", size: data.length, data },
  ...more,
});
const estimate = ({ data }: Attachment) => data.length;
const choose = (files: Attachment[], max: number) => [...chooseLongFiles(files, max, estimate)];

test("files that fit are all sent whole", () => {
  expect(choose([file("a", "12345"), file("b", "123")], 8)).toEqual([]);
});

test("where files do not fit, only passages of the longest ones are sent, and pictures stay", () => {
  const picture = file("p", "1234567890", { kind: "image" });
  expect(choose([file("a", "12345"), picture, file("b", "123")], 14)).toEqual(["a"]);
  expect(choose([file("a", "12345"), file("b", "123")], 1)).toEqual(["a", "b"]);
});

test("later questions search the long files of earlier ones, the newest eight", () => {
  const files = Array.from({ length: 9 }, (_, index) => file(String(index), "x", { passages: 240 }));
  const turns = [
    { question: question("q1", { attachments: [...files.slice(0, 5), file("whole", "x")] }), lanes: [] },
    { question: question("q2", { attachments: files.slice(5) }), lanes: [] },
  ] as unknown as Parameters<typeof listSearchedFiles>[0];
  expect(listSearchedFiles(turns).map(({ id }) => id)).toEqual(files.map(({ id }) => id));
  expect(takeSearchable(listSearchedFiles(turns)).map(({ id }) => id)).toEqual(files.slice(1).map(({ id }) => id));
  expect([isSearched(file("a", "x", { passages: null })), isSearched(file("a", "x", { passages: 0 }))]).toEqual([
    false,
    true,
  ]);
});

test.each([
  [null, 12],
  [131_072, 12],
  [8_192, 6],
  [1_024, 1],
])("with a context of %s tokens at most %i passages go with a question", (context, count) => {
  expect(countFilePassages(context)).toBe(count);
});
