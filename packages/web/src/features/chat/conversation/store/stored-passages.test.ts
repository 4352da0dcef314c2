import { expect, test } from "vitest";
import { passage, question } from "#/testing/conversations.ts";
import { readServerEntry, toServerEntry } from "./server-records.ts";
import { readStoredEntry, toStoredEntry } from "./stored-records.ts";

const sent = question("q1", { passages: [passage("30 days of leave."), passage("None in May.", { page: null })] });

test("a question keeps its passages on the server and in the browser", () => {
  expect(readServerEntry("c", toServerEntry(sent))).toEqual(sent);
  expect(readStoredEntry(structuredClone(toStoredEntry(sent)))).toEqual(sent);
});

test("a question for which nothing was found differs from one for which nothing was searched", () => {
  for (const one of [question("q1", { passages: [] }), question("q1")]) {
    expect(readServerEntry("c", toServerEntry(one))).toEqual(one);
    expect(readStoredEntry(structuredClone(toStoredEntry(one)))).toEqual(one);
  }
});

test("characters of the code 0, which the server refuses, are left out of passages", () => {
  const { question: sent } = toServerEntry(question("q1", { passages: [passage("30\0 days")] }));
  expect(sent?.passages?.[0]?.text).toBe("30 days");
});

test("passages of a damaged record that have no text are left out", () => {
  const damaged = { ...question("q1"), passages: [passage("Whole."), { document_name: "x" }, null] };
  expect(readStoredEntry(damaged)).toMatchObject({ passages: [{ text: "Whole." }] });
});

test("a long file keeps how many passages it has, on the server and in the browser", () => {
  const file = { id: "f1", kind: "text" as const, name: "a.pdf", type: "application/pdf", size: 9, data: "x" };
  const long = question("q1", {
    attachments: [
      { ...file, pages: 12, passages: 240 },
      { ...file, id: "f2" },
    ],
  });
  expect(readServerEntry("c", toServerEntry(long))).toEqual(long);
  expect(readStoredEntry(structuredClone(toStoredEntry(long)))).toEqual(long);
});
