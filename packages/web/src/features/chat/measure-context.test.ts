import { expect, test } from "vitest";
import { passage, question } from "#/testing/conversations.ts";
import { withChosenCollections } from "./collections/chosen-collections.ts";
import { DEFAULT_SETTINGS } from "./conversation/settings.ts";
import type { Turn } from "./conversation/tree.ts";
import type { Attachment } from "./conversation/types.ts";
import { measureContext } from "./measure-context.ts";

const file = (id: string, tokens: number, passages?: number): Attachment => ({
  ...{ id, kind: "text", name: `${id}.txt`, type: "text/plain", size: 1, data: "four".repeat(tokens), passages },
});
const turnWith = (attachments: Attachment[]): Turn =>
  ({ question: question("q1", { attachments }), lanes: [], passages: [passage("x")] }) as unknown as Turn;
type Options = Partial<Parameters<typeof measureContext>[0]>;
const measure = (text: string, attachments: readonly Attachment[], more: Options = {}) =>
  measureContext({
    ...{ draft: { text, attachments, replace: () => {} }, turns: [], settings: DEFAULT_SETTINGS, context: 8_192 },
    ...more,
  });

test("files that fit into the context are sent whole", () => {
  const measured = measure("Why?", [file("a", 4_000)]);
  expect(measured.longFiles).toEqual([]);
  expect(measured).toMatchObject({ usedTokens: 4_001, isTooLong: false });
});

test("of files that do not fit the longest go by passages, which then fit, and are counted", () => {
  const short = file("short", 1_000);
  const measured = measure("Why?", [file("long", 50_000), short]);
  expect(measured.longFiles.map(({ id }) => id)).toEqual(["long"]);
  expect(measured.isTooLong).toBe(false);
  expect(measured.usedTokens).toBeGreaterThan(1_001 + 1_000);
  expect(measured.usedTokens).toBeLessThan(8_192);
});

test("passages of chosen collections are counted once there is a question", () => {
  const settings = withChosenCollections(DEFAULT_SETTINGS, ["col_1"]);
  expect(measure("", [], { settings }).usedTokens).toBe(0);
  expect(measure("Why?", [], { settings }).usedTokens).toBeGreaterThan(2_000);
});

test("passages of long files of earlier questions are counted, and not their texts", () => {
  const turns = [turnWith([file("long", 50_000, 240)])];
  const { usedTokens } = measure("Why?", [], { turns });
  expect(usedTokens).toBeGreaterThan(1_000);
  expect(usedTokens).toBeLessThan(8_192);
});

test("where the context is not known, all files are sent whole", () => {
  expect(measure("Why?", [file("a", 500_000)], { context: null })).toMatchObject({ longFiles: [], isTooLong: false });
});
