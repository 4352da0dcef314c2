import { expect, test } from "vitest";
import { preferSamePrefix } from "./prefix-affinity.ts";

const replica = (name: string, inFlight = 0, failures = 0) => ({ name, inFlight, failures });
const chatOf = (...texts: string[]) => ({
  kind: "chat" as const,
  body: {
    model: "m",
    messages: texts.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content })),
  },
});
const REPLICAS = ["a", "b", "c"].map((name) => replica(name));
const names = (replicas: { name: string }[]) => replicas.map(({ name }) => name);
const first = (...texts: string[]) => preferSamePrefix(REPLICAS, chatOf(...texts))[0]?.name;

test("the calls of a conversation go to the same replica, and conversations are spread over all replicas", () => {
  const conversations = Array.from({ length: 60 }, (_, index) => `question ${index}`);
  for (const text of conversations) expect(first(text, "an answer", "more")).toBe(first(text));
  expect(new Set(conversations.map((text) => first(text)))).toEqual(new Set(["a", "b", "c"]));
});

test("removing a replica moves only its own conversations", () => {
  const conversations = Array.from({ length: 60 }, (_, index) => `question ${index}`);
  const fewer = REPLICAS.slice(0, 2);
  for (const text of conversations) {
    const before = first(text);
    const after = preferSamePrefix(fewer, chatOf(text))[0]?.name;
    if (before !== "c") expect(after).toBe(before);
  }
});

test("a replica that is much busier than another one or has failed is not preferred", () => {
  const preferred = first("hello") ?? "";
  const change = (fields: object) =>
    REPLICAS.map((one) => (one.name === preferred ? { ...one, ...fields } : one)).sort(
      (a, b) => a.inFlight - b.inFlight,
    );
  expect(preferSamePrefix(change({ inFlight: 4 }), chatOf("hello"))[0]?.name).toBe(preferred);
  expect(preferSamePrefix(change({ inFlight: 5 }), chatOf("hello"))[0]?.name).not.toBe(preferred);
  expect(preferSamePrefix(change({ failures: 1 }), chatOf("hello"))[0]?.name).not.toBe(preferred);
});

test.each([
  ["embeddings", { kind: "embedding" as const, body: { model: "m", input: "x" } }],
  ["a chat without messages", { kind: "chat" as const, body: { model: "m" } }],
])("the order of replicas does not change for %s", (_name, request) => {
  expect(names(preferSamePrefix(REPLICAS, request))).toEqual(["a", "b", "c"]);
});
