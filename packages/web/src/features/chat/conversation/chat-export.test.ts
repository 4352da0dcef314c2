import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { describeExport, loadChatExport, storeExport } from "./chat-export.ts";
import { createMemoryStore } from "./store/memory-store.ts";

const message = (role: string, content: string) => ({
  author: { role },
  content: { content_type: "text", parts: [content] },
  create_time: 1_700_000_000,
});
const chat = (id: string) => ({
  title: `Chat ${id}`,
  conversation_id: id,
  create_time: 1_700_000_000,
  update_time: 1_700_000_100,
  current_node: "a",
  mapping: {
    q: { parent: null, message: message("user", "Why?") },
    t: { parent: "q", message: message("tool", "{}") },
    a: { parent: "t", message: message("assistant", "Because.") },
  },
});
const EXPORT = JSON.stringify([chat("one"), chat("two")]);

test("an export is described before it is stored, and stored once with its times", async () => {
  const loaded = await loadChatExport(new Blob([EXPORT]));
  if (!loaded) throw new Error("It was not read.");
  expect(describeExport(loaded.report)).toBe(
    "The file has 2 chats with 4 messages. What is here from it already is not stored twice. Left out: 2 tool calls and results.",
  );
  const store = createMemoryStore();
  expect(await storeExport(loaded, store)).toEqual({ stored: 2, refused: 0 });
  expect(await storeExport(loaded, store)).toEqual({ stored: 0, refused: 0 });
  const [first] = await store.list();
  expect(first).toMatchObject({ title: "Chat one", updatedAt: 1_700_000_100_000, models: [] });
  expect((await store.entries(first?.id ?? "")).map(({ kind, text }) => [kind, text])).toEqual([
    ["question", "Why?"],
    ["answer", "Because."],
  ]);
});

test("an export is read from the ZIP file in which ChatGPT sends it", async () => {
  const zip = zipSync({ "conversations.json": strToU8(EXPORT), "chat.html": strToU8("<p>") });
  expect((await loadChatExport(new Blob([zip])))?.report).toMatchObject({ source: "chatgpt", chats: 2 });
});

test("a chat that the server refuses does not keep the others from being stored", async () => {
  const loaded = await loadChatExport(new Blob([EXPORT]));
  if (!loaded) throw new Error("It was not read.");
  const store = createMemoryStore();
  const [refusedId] = loaded.chats.map(({ id }) => id);
  const write: typeof store.write = (id, ...rest) =>
    id === refusedId ? Promise.reject(new Error("It was deleted.")) : store.write(id, ...rest);
  expect(await storeExport(loaded, { ...store, write })).toEqual({ stored: 1, refused: 1 });
});

test.each(["{}", "no JSON", "PK\u0003\u0004 broken"])("another file is no export: %s", async (content) => {
  expect(await loadChatExport(new Blob([content]))).toBeNull();
});
