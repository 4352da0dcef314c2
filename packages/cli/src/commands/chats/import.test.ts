import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readChatExport } from "@feather/sdk/chat-imports";
import { errorResponse } from "@feather/testing/errors";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";
import { storedConversation } from "../../testing/stored-chats.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-import-"));
afterAll(() => rmSync(folder, { recursive: true }));

const message = (role: string, content: string) => ({
  author: { role },
  content: { content_type: "text", parts: [content] },
  create_time: 1_700_000_000,
  recipient: "all",
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
const { chats } = await readChatExport(EXPORT);
const write = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** Ids of stored chats, and the answer to a chat that is stored. */
let stored: Set<string>;
let isDeleted = false;
beforeEach(() => {
  stored = new Set();
  isDeleted = false;
});
const putChat = ({ path }: { path: string }) => {
  if (isDeleted) return errorResponse(409, "conversations.deleted", "It was deleted.");
  if (stored.has(path)) return errorResponse(409, "conversations.changed", "It was changed.");
  stored.add(path);
  return { body: storedConversation("chat") };
};
const { run, requests } = setupCli(
  Object.fromEntries(
    chats.flatMap(({ id }) => [
      [`PUT /conversations/${id}`, putChat],
      [`PUT /conversations/${id}/entries`, () => ({ status: 204 })],
    ]),
  ),
);
const writes = () => requests().filter(({ method }) => method === "PUT");

describe("feather chats import", () => {
  test("stores chats with their messages, and says what is left out", async () => {
    const { code, out, err } = await run(["chats", "import", write("conversations.json", EXPORT)]);
    expect([code, out]).toEqual([0, "Stored 2 chats.\n"]);
    expect(err).toContain("ChatGPT: 2 chats with 4 messages.\nLeft out:\n  2 tool calls and results");
    expect(stored.size).toBe(2);
    expect(writes()[0]?.body).toMatchObject({ version: 0, title: "Chat one", updated_at: "2023-11-14T22:15:00.000Z" });
    expect(writes()[1]?.body).toMatchObject({ items: [{ text: "Why?" }, { text: "Because." }] });
  });

  test("stores a chat once, also when it is imported again", async () => {
    const path = write("again.json", EXPORT);
    await run(["chats", "import", path]);
    const { out } = await run(["chats", "import", path]);
    expect([out, stored.size]).toEqual(["Stored 0 chats. 2 were there already.\n", 2]);
  });

  test("does not store what was deleted here before", async () => {
    isDeleted = true;
    const { out } = await run(["chats", "import", write("deleted.json", EXPORT)]);
    expect(out).toBe("Stored 0 chats. 2 were deleted here before and not stored again.\n");
  });

  test("stores nothing with --dry-run", async () => {
    const { code, out } = await run(["chats", "import", write("dry.json", EXPORT), "--dry-run", "--json"]);
    expect([code, requests()]).toEqual([0, []]);
    expect(JSON.parse(out)).toMatchObject({ source: "chatgpt", chats: 2, messages: 4, is_dry_run: true });
  });

  test("reads the files with chats of a ZIP file, and nothing else in it", async () => {
    const zip = zipSync({
      "conversations-000.json": strToU8(JSON.stringify([chat("one")])),
      "export/conversations-001.json": strToU8(JSON.stringify([chat("two")])),
      "user.json": strToU8("{}"),
    });
    const { out, err } = await run(["chats", "import", write("chatgpt.zip", zip)]);
    expect([out, err.includes("2 chats with 4 messages")]).toEqual(["Stored 2 chats.\n", true]);
  });

  test.each([
    ["a text", "hello", "no export of chats that is known"],
    ["other JSON", '{"a":1}', "no export of chats that is known"],
    ["a ZIP file without chats", zipSync({ "user.json": strToU8("{}") }), "no export of chats that is known"],
    ["a broken ZIP file", "PK\u0003\u0004 broken", "cannot be read"],
  ])("says what it takes when it gets %s", async (_what, content, reason) => {
    const { code, err } = await run(["chats", "import", write("other", content)]);
    expect([code, requests()]).toEqual([2, []]);
    expect(err).toContain(reason);
  });

  test("sends a long chat in parts of 200 messages", async () => {
    const mapping = Object.fromEntries(
      Array.from({ length: 401 }, (_, index) => [
        `n${index}`,
        { parent: index ? `n${index - 1}` : null, message: message(index % 2 ? "assistant" : "user", "x") },
      ]),
    );
    await run([
      "chats",
      "import",
      write("long.json", JSON.stringify([{ ...chat("one"), mapping, current_node: "n400" }])),
    ]);
    const sizes = writes().flatMap(({ body }) => (body as { items?: unknown[] }).items?.length ?? []);
    expect(sizes).toEqual([200, 200, 1]);
  });
});
