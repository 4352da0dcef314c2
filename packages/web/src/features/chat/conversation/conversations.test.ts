import { afterEach, describe, expect, test, vi } from "vitest";
import { answer, conversation, question } from "#/testing/conversations.ts";
import { type Channel, createConversations } from "./conversations.ts";
import { createMemoryStore } from "./store/memory-store.ts";
import { selectionOf, visibleTurns } from "./tree.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Tabs over one storage, that hear each other. */
function createTabs() {
  const store = createMemoryStore();
  const ears = new Set<(event: MessageEvent) => void>();
  return (
    isWrittenByThisTab: (id: string) => boolean = () => false,
    now: () => number = () => 100,
    listOpenTabs: () => Promise<ReadonlySet<string> | null> = async () => null,
  ) => {
    let own: ((event: MessageEvent) => void) | undefined;
    const channel = {
      postMessage: (data: unknown) => {
        for (const ear of ears) if (ear !== own) ear({ data } as MessageEvent);
      },
      addEventListener: (_: string, ear: (event: MessageEvent) => void) => {
        own = ear;
        ears.add(ear);
      },
      close: () => own && ears.delete(own),
    } as unknown as Channel;
    return createConversations({ store, channel, now, isWrittenByThisTab, listOpenTabs });
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("two tabs with one conversation", () => {
  test("two tabs with one conversation show each other's messages and lose none", async () => {
    const tab = createTabs();
    const [one, two] = [tab(), tab()];
    await one.create(conversation(), [question("q1"), answer("a1", "q1")]);
    await two.load("c");
    const mine = question("mine", { after: ["a1"], createdAt: 8 });
    const theirs = question("theirs", { after: ["a1"], createdAt: 9 });
    await Promise.all([
      one.add("c", [mine], (kept) => ({ ...kept, chosen: { ...kept.chosen, ...selectionOf(mine) } })),
      two.add("c", [theirs], (kept) => ({ ...kept, chosen: { ...kept.chosen, ...selectionOf(theirs) } })),
    ]);
    await settled();
    const shown = (tabs: typeof one) => {
      const snapshot = tabs.get("c");
      return snapshot && visibleTurns(snapshot.tree, snapshot.conversation.chosen).at(-1);
    };
    expect(shown(one)).toMatchObject({ question: { id: "mine" }, siblings: ["mine", "theirs"] });
    expect(shown(two)).toMatchObject({ question: { id: "theirs" }, siblings: ["mine", "theirs"] });
  });

  test("two tabs with one conversation change title and settings without overwriting each other", async () => {
    const tab = createTabs();
    const [one, two] = [tab(), tab()];
    await one.create(conversation());
    await two.load("c");
    await Promise.all([
      one.update("c", (kept) => ({ ...kept, title: "New name" })),
      two.update("c", (kept) => ({ ...kept, models: ["m/two"] })),
    ]);
    await settled();
    for (const each of [one, two])
      expect(each.get("c")?.conversation).toMatchObject({ title: "New name", models: ["m/two"] });
  });

  test("two tabs with one conversation do not overwrite an answer that the other tab is receiving", async () => {
    const tab = createTabs();
    const one = tab((id) => id === "a1");
    const two = tab();
    await one.create(conversation(), [
      question("q1"),
      answer("a1", "q1", { state: "streaming", text: "", savedAt: 99 }),
    ]);
    await two.load("c");
    expect(two.get("c")?.tree.entries.get("a1")).toMatchObject({ state: "streaming" });
    await two.update("c", (kept) => ({ ...kept, title: "x" }));
    await settled();
    expect(one.get("c")?.tree.entries.get("a1")).toMatchObject({ state: "streaming" });
    await one.add("c", [answer("a1", "q1", { text: "Air.", savedAt: 120 })]);
    await settled();
    expect(two.get("c")?.tree.entries.get("a1")).toMatchObject({ state: "done", text: "Air." });
  });
});

test("marks an answer as interrupted when its tab was closed, and keeps its text", async () => {
  vi.useFakeTimers();
  let time = 1_000;
  const tab = createTabs();
  const one = tab(
    (id) => id === "a1",
    () => time,
  );
  await one.create(conversation(), [
    question("q1"),
    answer("a1", "q1", { state: "streaming", text: "Air", savedAt: time }),
  ]);
  const two = tab(undefined, () => time);
  await two.load("c");
  expect(two.get("c")?.tree.entries.get("a1")).toMatchObject({ state: "streaming" });
  time += 16_000;
  await vi.advanceTimersByTimeAsync(16_500);
  expect(two.get("c")?.tree.entries.get("a1")).toMatchObject({
    state: "failed",
    text: "Air",
    error: { code: "broken_off" },
  });
  two.close();
});

test("marks an answer as interrupted immediately after a reload", async () => {
  const tab = createTabs();
  const writing = answer("a1", "q1", { state: "streaming", text: "Air", savedAt: 100, tab: "before" });
  await tab().create(conversation(), [question("q1"), writing]);
  const reloaded = tab(
    undefined,
    () => 101,
    async () => new Set(["after"]),
  );
  await reloaded.load("c");
  expect(reloaded.get("c")?.tree.entries.get("a1")).toMatchObject({ state: "failed", text: "Air" });
});

test("keeps an answer streaming while another open tab receives it, however long it is silent", async () => {
  const tab = createTabs();
  const writing = answer("a1", "q1", { state: "streaming", savedAt: 100, tab: "other" });
  await tab().create(conversation(), [question("q1"), writing]);
  const beside = tab(
    undefined,
    () => 100_000,
    async () => new Set(["other", "own"]),
  );
  await beside.load("c");
  expect(beside.get("c")?.tree.entries.get("a1")).toMatchObject({ state: "streaming" });
  beside.close();
});

test("keeps entries that are not yet stored when the conversation is reloaded", async () => {
  const store = createMemoryStore();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = {
    ...store,
    write: (...write: Parameters<typeof store.write>) => held.then(() => store.write(...write)),
  };
  await store.write("c", () => conversation(), [question("q1")]);
  const tab = createConversations({
    store: slow,
    channel: null,
    now: () => 1,
    isWrittenByThisTab: () => false,
    listOpenTabs: async () => null,
  });
  await tab.load("c");
  const adding = tab.add("c", [answer("a1", "q1")]);
  await tab.load("c");
  expect(tab.get("c")?.tree.entries.has("a1")).toBe(true);
  release();
  await adding;
});

test("a deleted conversation cannot be opened or changed, and can be restored", async () => {
  const tab = createTabs()();
  await tab.create(conversation(), [question("q1")]);
  await tab.update("c", (kept) => ({ ...kept, deletedAt: 5 }));
  const other = createTabs()();
  expect(await other.load("c")).toBe(false);
  await tab.update("c", (kept) => ({ ...kept, deletedAt: null }));
  expect(await tab.load("c")).toBe(true);
  await tab.remove(["c"]);
  await tab.add("c", [question("late")]);
  expect(tab.get("c")).toBeNull();
  expect(await tab.load("c")).toBe(false);
});
