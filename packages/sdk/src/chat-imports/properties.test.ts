import { fc } from "@feather/testing/properties";
import { expect, test } from "vitest";
import { readChatExport } from "../chat-imports.ts";
import { EXPORTERS } from "../testing/chat-exports.ts";
import type { ChatSource } from "./source-chat.ts";

const now = new Date("2026-11-30T08:00:00Z");
const sources = fc.constantFrom(...(Object.keys(EXPORTERS) as ChatSource[]));
/** Ids that meet each other often, and those that every object has. */
const ids = fc.constantFrom<unknown>("a", "b", "c", "d", "1", "__proto__", "constructor", "", null, 7);
const times = fc.oneof(
  fc.jsonValue(),
  fc.double({ noNaN: true }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);
const texts = fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue());
const messages = fc.array(
  fc.record({
    id: ids,
    parent: ids,
    role: fc.constantFrom("user" as const, "assistant" as const),
    text: texts,
    time: times,
  }),
  { maxLength: 12 },
);
const chats = fc
  .tuple(sources, messages, fc.record({ id: fc.oneof(texts, ids), title: texts, leaf: ids, time: times }))
  .map(([source, list, chat]) => EXPORTERS[source](list, chat));
/** Values under the names that the readers look for, at every depth. */
const shapes = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.jsonValue({ maxDepth: 1 }),
    tie("record"),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
  record: fc.dictionary(
    fc.constantFrom(
      ...["mapping", "current_node", "chat", "history", "messages", "currentId", "conversationId", "messagesTree"],
      ...["message", "content", "content_type", "parts", "author", "metadata", "children", "text", "files", "id"],
    ),
    tie("value"),
    { maxKeys: 6 },
  ),
})).value;

const exports = fc.oneof(fc.array(chats, { maxLength: 4 }), shapes, fc.jsonValue());

/** The pattern of titles in the contract. */
const TITLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the contract refuses
  /^[^\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]{0,200}$/;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("every JSON value is read without an error, and twice the same", async () => {
  await fc.assert(
    fc.asyncProperty(exports, async (value) => {
      const json = JSON.stringify(value);
      const [first, again] = [await readChatExport(json, { now }), await readChatExport(json, { now })];
      expect(again).toEqual(first);
      for (const count of Object.values(first.report?.leftOut ?? {})) expect(count).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 500 },
  );
});

test("a text that is cut off anywhere is no export, and no error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chats, { minLength: 1, maxLength: 2 }), fc.nat(), async (value, place) => {
      const json = JSON.stringify(value);
      const cut = json.slice(0, place % json.length);
      expect(await readChatExport(cut, { now })).toEqual({ chats: [], report: null });
    }),
  );
});

test("whatever is read, the API takes: titles, times, ids and turns", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chats, { maxLength: 4 }), async (value) => {
      const { chats: found, report } = await readChatExport(JSON.stringify(value), { now });
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      expect(report?.messages ?? 0).toBe(found.reduce((sum, { entries }) => sum + entries.length, 0));
      for (const { conversation, entries } of found) {
        expect(conversation.title).toMatch(TITLE);
        expect(conversation.is_named).toBe(conversation.title !== "");
        const moments = [
          conversation.created_at,
          conversation.updated_at,
          ...entries.map(({ created_at }) => created_at),
        ];
        for (const moment of moments) expect(moment.toISOString()).toMatch(RFC_3339);
        expect(entries.map(({ kind }) => kind)).toEqual(entries.map((_, place) => (place % 2 ? "answer" : "question")));
        for (const { text } of entries) expect(text.isWellFormed() && !text.includes("\0")).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test("an id of a chat depends on the program and its own id alone", async () => {
  await fc.assert(
    fc.asyncProperty(sources, sources, fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), async (a, b, x, y) => {
      const idOf = async (source: ChatSource, id: string, title: string) => {
        const json = JSON.stringify(EXPORTERS[source]([{ id: "m0", text: title }], { id, title }));
        return (await readChatExport(json, { now })).chats[0]?.id;
      };
      const [first, other] = [await idOf(a, x, "One"), await idOf(b, y, "Two")];
      expect(first).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(first === other).toBe(a === b && x === y);
    }),
  );
});
