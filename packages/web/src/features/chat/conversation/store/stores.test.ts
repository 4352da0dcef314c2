import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { openDB } from "idb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { answer, conversation, createLongConversation, question } from "#/testing/conversations.ts";
import { createConversationsApi } from "#/testing/conversations-api.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { openBrowserStore } from "./browser-store.ts";
import type { ChatStore } from "./chat-store.ts";
import { openFallbackStore } from "./fallback-store.ts";
import { createMemoryStore } from "./memory-store.ts";
import { createServerStore } from "./server-store.ts";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
});

const begin = (store: ChatStore, id: string) =>
  store.write(id, () => conversation({ id }), createLongConversation(2, id));
const ids = (items: { id: string }[]) => items.map(({ id }) => id).sort();

describe.each([
  ["the browser", () => openBrowserStore("usr_1")],
  ["memory", async () => createMemoryStore()],
  [
    "the server",
    async () =>
      createServerStore({ api: createConversationsApi().api, onProblem: () => {}, wait: async () => {} }) as ChatStore,
  ],
  [
    "the browser, lasting",
    () =>
      openFallbackStore(
        () => openBrowserStore("usr_1"),
        () => {},
      ),
  ],
])("the store in %s", (_, open) => {
  test("the chat store stores conversations and their entries", async () => {
    const store = await open();
    await begin(store, "c1");
    await store.write("c2", () => conversation({ id: "c2" }), [question("other", { conversation: "c2" })]);
    expect(ids(await store.list())).toEqual(["c1", "c2"]);
    expect(ids(await store.entries("c1"))).toEqual(["a0", "a1", "q0", "q1"]);
    expect(ids(await store.entries("c2"))).toEqual(["other"]);
    store.close();
  });

  test("the chat store returns all entries of a long conversation", async () => {
    const store = await open();
    const long = createLongConversation(400, "c1");
    await store.write("c1", () => conversation({ id: "c1" }), long);
    expect(ids(await store.entries("c1"))).toEqual(ids(long));
    store.close();
  });

  test("the chat store applies a change to the stored conversation, not to the caller's copy", async () => {
    const store = await open();
    await begin(store, "c1");
    await store.write("c1", (kept) => kept && { ...kept, title: "Renamed" }, []);
    await store.write("c1", (kept) => kept && { ...kept, chosen: { a: "b" } }, []);
    expect(await store.list()).toMatchObject([{ title: "Renamed", chosen: { a: "b" } }]);
    await store.write("gone", (kept) => kept && { ...kept, title: "x" }, []);
    expect(await store.list()).toHaveLength(1);
    store.close();
  });

  test("the chat store finds each conversation with a matching entry once", async () => {
    const store = await open();
    await begin(store, "c1");
    const long = `${"x ".repeat(60)}the Needle${" y".repeat(60)}`;
    await store.write("c2", () => conversation({ id: "c2" }), [
      question("n1", { conversation: "c2", text: long }),
      answer("n2", "n1", { conversation: "c2", text: "needle again" }),
    ]);
    const found = await store.search("needle");
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ conversation: "c2" });
    expect(found[0]?.excerpt.toLowerCase()).toContain("needle");
    expect(found[0]?.excerpt.length).toBeLessThan(110);
    expect(await store.search("nowhere")).toEqual([]);
    store.close();
  });

  test("the chat store removes conversations permanently", async () => {
    const store = await open();
    await begin(store, "c1");
    await store.write("c2", () => conversation({ id: "c2" }), [question("other", { conversation: "c2" })]);
    await store.remove(["c1"]);
    expect(ids(await store.list())).toEqual(["c2"]);
    expect(await store.entries("c1")).toEqual([]);
    expect(await store.entries("c2")).toHaveLength(1);
    store.close();
  });
});

test("the browser store separates the conversations of different users", async () => {
  const maria = await openBrowserStore("usr_1");
  await begin(maria, "c1");
  expect(await (await openBrowserStore("usr_2")).list()).toEqual([]);
  maria.close();
  expect(await (await openBrowserStore("usr_1")).list()).toHaveLength(1);
});

describe("without working storage", () => {
  test("the chat works in memory and reports it", async () => {
    const failed = vi.fn();
    const store = await openFallbackStore(() => Promise.reject(new Error("denied")), failed);
    expect(failed.mock.calls).toEqual([["denied"]]);
    await begin(store, "c1");
    expect(await store.entries("c1")).toHaveLength(4);
    expect(store.storageProblem()).toBe("denied");
  });

  test("a browser without IndexedDB is reported", async () => {
    vi.stubGlobal("indexedDB", undefined);
    await expect(openBrowserStore("usr_1")).rejects.toThrow("This browser keeps nothing.");
  });

  test.each([
    ["QuotaExceededError", "full"],
    ["UnknownError", "denied"],
  ])("writes go to memory on top of the stored data after a failure (%s)", async (name, why) => {
    const kept = createMemoryStore();
    await begin(kept, "c1");
    let broken = true;
    const failing: ChatStore = {
      ...kept,
      write: (...write) => (broken ? Promise.reject(new DOMException("no", name)) : kept.write(...write)),
    };
    const failed = vi.fn();
    const store = await openFallbackStore(async () => failing, failed);
    await store.write("c1", (known) => known && { ...known, title: "New" }, [question("new", { conversation: "c1" })]);
    await begin(store, "c2");
    expect(failed).toHaveBeenCalledWith(why);
    expect((await store.list()).map(({ id, title }) => [id, title])).toEqual([
      ["c1", "New"],
      ["c2", "A talk"],
    ]);
    expect(await store.entries("c1")).toHaveLength(5);
    broken = false;
    await store.write("c1", (known) => known && { ...known, title: "Newer" }, []);
    expect((await store.list())[0]?.title).toBe("Newer");
  });

  test("a failing read does not break the page", async () => {
    const failed = vi.fn();
    const no = () => Promise.reject(new Error("gone"));
    const store = await openFallbackStore(
      async () => ({ ...createMemoryStore(), list: no, entries: no, search: no, remove: no }),
      failed,
    );
    expect(await store.list()).toEqual([]);
    expect(await store.entries("c")).toEqual([]);
    expect(await store.search("word")).toEqual([]);
    await store.remove(["c"]);
    expect(failed).toHaveBeenCalledWith("denied");
  });
});

describe("a store with corrupt data", () => {
  async function meddle(store: "conversations" | "entries", records: object[]): Promise<void> {
    (await openBrowserStore("usr_1")).close();
    const db = await openDB("feather-chat-usr_1");
    for (const record of records) await db.put(store, record);
    db.close();
  }

  test("a store with corrupt data returns conversations with defaults for missing fields", async () => {
    const older = { id: "c1", title: "Old", models: ["a/b"], settings: { temperature: 0.2, seed: 7 }, updatedAt: 5 };
    await meddle("conversations", [older, { id: "c2", models: "x", settings: null }, { id: 7 }]);
    const store = await openBrowserStore("usr_1");
    expect(await store.list()).toEqual([
      conversation({
        id: "c1",
        title: "Old",
        models: ["a/b"],
        settings: { ...DEFAULT_SETTINGS, temperature: 0.2 },
        createdAt: 0,
        updatedAt: 5,
      }),
      conversation({ id: "c2", title: "", models: [], settings: DEFAULT_SETTINGS, createdAt: 0, updatedAt: 0 }),
    ]);
    await store.write("c1", (kept) => kept && { ...kept, title: "New" }, []);
    expect((await store.list())[0]).toMatchObject({ title: "New", deletedAt: null });
    store.close();
  });

  test("a store with corrupt data returns valid questions and answers, and finds text in them", async () => {
    await meddle("entries", [
      { id: "q", conversation: "c1", kind: "question", text: "needle", attachments: [null, { id: 1 }], after: "x" },
      { id: "a", conversation: "c1", kind: "answer", question: "q", fault: { code: 5 }, state: "?", toolCalls: [{}] },
      { id: "b", conversation: "c1", kind: "answer" },
      { id: "c", conversation: "c1", kind: "poem", text: "needle" },
      { id: "d", conversation: "c1" },
    ]);
    const store = await openBrowserStore("usr_1");
    expect(await store.entries("c1")).toMatchObject([
      { id: "a", text: "", state: "stopped", toolCalls: [], error: { code: "", details: {} } },
      { id: "q", text: "needle", attachments: [], after: [], models: [], results: [] },
    ]);
    expect(await store.search("needle")).toHaveLength(1);
    store.close();
  });

  test("a stored answer keeps its error under the name that every version reads", async () => {
    const error = { code: "broken_off", status: 0, message: "Closed.", requestId: null, details: {} };
    const failed = answer("a1", "q1", { conversation: "c1", state: "failed", error });
    const store = await openBrowserStore("usr_1");
    await store.write("c1", () => conversation({ id: "c1" }), [failed]);
    expect(await store.entries("c1")).toEqual([failed]);
    store.close();
    const db = await openDB("feather-chat-usr_1");
    expect(await db.get("entries", "a1")).toMatchObject({ id: "a1", fault: error });
    expect(await db.get("entries", "a1")).not.toHaveProperty("error");
    db.close();
  });

  test("a store with corrupt data is left untouched when a newer version wrote it, and new messages stay in memory", async () => {
    (await openDB("feather-chat-usr_1", 9)).close();
    const failed = vi.fn();
    const store = await openFallbackStore(() => openBrowserStore("usr_1"), failed);
    await begin(store, "c1");
    expect(ids(await store.list())).toEqual(["c1"]);
    expect(failed).toHaveBeenCalledWith("denied");
  });
});
