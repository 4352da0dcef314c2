import { expect, test, vi } from "vitest";
import { answer, conversation, question } from "#/testing/conversations.ts";
import { createConversationsApi } from "#/testing/conversations-api.ts";
import { createServerStore } from "./server-store.ts";

/** A device: a store whose waits end when the test says so. */
function openDevice(api: ReturnType<typeof createConversationsApi>["api"]) {
  const waits: (() => void)[] = [];
  const onProblem = vi.fn();
  const store = createServerStore({ api, onProblem, wait: () => new Promise((resolve) => waits.push(resolve)) });
  const endWaits = () => {
    for (const end of waits.splice(0)) end();
  };
  return { store, onProblem, waits, endWaits };
}

test("another device sees a conversation with its messages, and what was changed in it", async () => {
  const { api } = createConversationsApi();
  const [laptop, phone] = [openDevice(api).store, openDevice(api).store];
  const entries = [
    question("q1", { conversation: "c1", text: "Which sort?" }),
    answer("a1", "q1", { conversation: "c1", text: "Merge sort." }),
  ];
  await laptop.write("c1", () => conversation({ id: "c1", title: "Sorting" }), entries);
  expect(await phone.list()).toMatchObject([{ id: "c1", title: "Sorting" }]);
  expect(await phone.entries("c1")).toEqual(entries);
  await phone.write("c1", (stored) => stored && { ...stored, title: "Renamed" }, []);
  expect(await laptop.sync()).toEqual(["c1"]);
  expect(await laptop.list()).toMatchObject([{ title: "Renamed" }]);
});

test("changes that two devices make at once are both kept", async () => {
  const { api, stored } = createConversationsApi();
  const [laptop, phone] = [openDevice(api).store, openDevice(api).store];
  await laptop.write("c1", () => conversation({ id: "c1" }), []);
  await phone.list();
  await Promise.all([
    laptop.write("c1", (one) => one && { ...one, title: "Renamed" }, []),
    laptop.write("c1", (one) => one && { ...one, models: ["acme/open"] }, []),
    phone.write("c1", (one) => one && { ...one, chosen: { a: "b" } }, []),
  ]);
  expect(stored.get("c1")?.conversation).toMatchObject({
    title: "Renamed",
    models: ["acme/open"],
    selected: { a: "b" },
  });
});

test("what is written while the server cannot be reached is seen at once, and sent when it can be", async () => {
  const { api, failWith, stored } = createConversationsApi();
  const { store, onProblem, waits, endWaits } = openDevice(api);
  failWith(new TypeError("offline"));
  const written = store.write("c1", () => conversation({ id: "c1", title: "Offline" }), [
    question("q1", { conversation: "c1" }),
  ]);
  await vi.waitFor(() => expect(waits).toHaveLength(1));
  expect(onProblem).toHaveBeenLastCalledWith("unreachable");
  expect(await store.list()).toMatchObject([{ title: "Offline" }]);
  expect(await store.entries("c1")).toMatchObject([{ id: "q1" }]);
  failWith(null);
  endWaits();
  await written;
  expect(onProblem).toHaveBeenLastCalledWith(null);
  expect([...(stored.get("c1")?.entries.keys() ?? [])]).toEqual(["q1"]);
});

test("what the server refuses is not sent again, stays in the tab, and the reason is shown", async () => {
  const { api, failWith, refuse } = createConversationsApi();
  const { store, onProblem, waits } = openDevice(api);
  failWith(refuse(409, "conversations.full"));
  await expect(store.write("c1", () => conversation({ id: "c1" }), [])).rejects.toThrow("conversations.full");
  expect([onProblem.mock.lastCall, waits.length]).toEqual([["full"], 0]);
  failWith(refuse(403, "conversations.not_kept"));
  await expect(store.write("c2", () => conversation({ id: "c2" }), [])).rejects.toThrow("conversations.not_kept");
  expect(onProblem).toHaveBeenLastCalledWith("refused");
  expect((await store.list()).map(({ id }) => id)).toEqual(["c1", "c2"]);
});

test("a conversation that another device deleted is gone here, and a late change does not bring it back", async () => {
  const { api, stored } = createConversationsApi();
  const [laptop, phone] = [openDevice(api).store, openDevice(api).store];
  await laptop.write("c1", () => conversation({ id: "c1" }), []);
  await phone.list();
  await laptop.remove(["c1"]);
  await phone.write("c1", (one) => one && { ...one, title: "Late" }, [question("q1", { conversation: "c1" })]);
  expect(await phone.list()).toEqual([]);
  expect(stored.size).toBe(0);
});

test("answers lose the character of the code 0, which the server refuses and some models write", async () => {
  const { api } = createConversationsApi();
  const [laptop, phone] = [openDevice(api).store, openDevice(api).store];
  const toolCalls = [{ id: "call_1", name: "weather", arguments: '{"city":"Ro\0me"}' }];
  const written = answer("a1", "q1", { conversation: "c1", text: "Merge\0 sort.", reasoning: "H\0m", toolCalls });
  await laptop.write("c1", () => conversation({ id: "c1" }), [question("q1", { conversation: "c1" }), written]);
  expect((await phone.entries("c1"))[1]).toMatchObject({
    text: "Merge sort.",
    reasoning: "Hm",
    toolCalls: [{ arguments: '{"city":"Rome"}' }],
  });
});

test("titles and names of files lose the characters that the server refuses", async () => {
  const { api, stored } = createConversationsApi();
  const { store } = openDevice(api);
  const attachments = [
    { id: "f1", kind: "text" as const, name: "a\u202eb.txt", type: "text/plain", size: 1, data: "x" },
  ];
  await store.write("c1", () => conversation({ id: "c1", title: `Two\nlines ${"x".repeat(300)}` }), [
    question("q1", { attachments }),
  ]);
  const { conversation: kept, entries } = stored.get("c1") ?? {};
  expect([kept?.title.slice(0, 10), kept?.title.length]).toEqual(["Two lines ", 200]);
  expect(entries?.get("q1")?.question?.attachments[0]?.name).toBe("a b.txt");
});
