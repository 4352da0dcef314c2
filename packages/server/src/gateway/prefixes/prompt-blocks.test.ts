import { expect, test } from "vitest";
import { toPromptBlocks } from "./prompt-blocks.ts";

const user = (content: unknown) => ({ role: "user", content });
const chat = (messages: unknown[], fields = {}) => ({
  kind: "chat" as const,
  body: { model: "m", messages, ...fields },
});
const LONG = "All feathers are light. ".repeat(100);

function countCommon(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((hash, index) => hash !== other[index]);
  return end === -1 ? one.length : end;
}

test("a longer conversation begins with the blocks of the shorter one, and has the same opening", () => {
  const shorter = toPromptBlocks(chat([user(LONG)]), "m");
  const longer = toPromptBlocks(chat([user(LONG), { role: "assistant", content: LONG }, user("More?")]), "m");
  expect(shorter?.hashes).toHaveLength(9);
  expect(longer?.hashes.slice(0, 9)).toEqual(shorter?.hashes);
  expect(longer?.hashes).toHaveLength(18);
  expect(longer?.opening).toBe(shorter?.opening);
});

test("prompts share the blocks before their first difference", () => {
  const one = toPromptBlocks(chat([{ role: "system", content: LONG }, user(`A ${LONG}`)]), "m");
  const other = toPromptBlocks(chat([{ role: "system", content: LONG }, user(`B ${LONG}`)]), "m");
  expect(countCommon(one?.hashes ?? [], other?.hashes ?? [])).toBe(9);
  expect(one?.opening).not.toBe(other?.opening);
});

test.each([
  ["another model", chat([user(LONG)]), "other"],
  ["other tools", chat([user(LONG)], { tools: [{ type: "function", function: { name: "f" } }] }), "m"],
  ["another role", chat([{ role: "system", content: LONG }]), "m"],
  ["another picture", chat([user([{ type: "image_url", image_url: { url: `data:${LONG}` } }])]), "m"],
])("a prompt has no block in common with that of %s", (_name, request, model) => {
  const prompt = toPromptBlocks(chat([user(LONG)]), "m");
  expect(countCommon(prompt?.hashes ?? [], toPromptBlocks(request, model)?.hashes ?? [])).toBe(0);
});

test("a text as one part is the same prompt as the text alone", () => {
  const parts = toPromptBlocks(chat([user([{ type: "text", text: LONG }])]), "m");
  expect(parts).toEqual(toPromptBlocks(chat([user(LONG)]), "m"));
});

test("only the first 1,024 blocks of a prompt are considered", () => {
  const long = (end: string) =>
    toPromptBlocks({ kind: "completion", body: { model: "m", prompt: "a".repeat(300_000) + end } }, "m");
  expect(long("x")?.hashes).toHaveLength(1_024);
  expect(long("x")?.hashes).toEqual(long("y")?.hashes);
});

test.each([
  ["embeddings", { kind: "embedding" as const, body: { model: "m", input: LONG } }],
  ["a chat without messages", { kind: "chat" as const, body: { model: "m" } }],
  ["several prompts at once", { kind: "completion" as const, body: { model: "m", prompt: [LONG, LONG] } }],
])("there are no blocks for %s", (_name, request) => {
  expect(toPromptBlocks(request, "m")).toBeNull();
});
