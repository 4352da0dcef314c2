import { describe, expect, test } from "vitest";
import { answer, conversation, passage, question } from "#/testing/conversations.ts";
import { fromChatFile, toChatFile, toFileName, toMarkdown } from "./chat-file.ts";
import { buildTree, selectionOf, visibleTurns } from "./tree.ts";

const picture = {
  id: "i",
  kind: "image" as const,
  name: "a.png",
  type: "image/png",
  size: 3,
  data: "data:image/png;base64,AA==",
};
const both = ["m/one", "m/two"];
const entries = [
  question("q1", { models: both, attachments: [picture] }),
  answer("a1", "q1", {
    requestId: "req_secret",
    receipt: { units: 2, promptTokens: 1, tokens: 1, estimated: false, cost: "5" },
  }),
  answer("a2", "q1", { createdAt: 3 }),
  answer("x1", "q1", { lane: 1, model: "m/two" }),
  question("q2", { after: ["a1", "x1"], models: both, createdAt: 4 }),
];
const talk = conversation({
  models: both,
  chosen: { ...selectionOf(entries[1] ?? question("")), ...selectionOf(entries[4] ?? question("")) },
});
const snapshot = { conversation: talk, tree: buildTree(entries) };
let count = 0;
const deps = { newId: () => `new-${count++}`, now: 99 };
const read = (change: (file: Record<string, unknown>) => unknown = (file) => file) =>
  fromChatFile(JSON.stringify(change(JSON.parse(toChatFile(snapshot)))), deps);

describe("passages of documents", () => {
  const sent = question("q1", { passages: [passage("30 days\nof *leave*."), passage("Unused.")] });
  const cited = {
    conversation: conversation(),
    tree: buildTree([sent, answer("a1", "q1", { text: "30 days [1], [3]." })]),
  };

  test("passages that were sent with a question are in the file of a chat and are read from it", () => {
    const opened = fromChatFile(toChatFile(cited), deps);
    const [first] = visibleTurns(buildTree(opened?.entries ?? []), {});
    expect(first?.passages).toEqual(sent.passages);
  });

  test("Markdown keeps the numbers of an answer and lists the passages that it names, without markup of theirs", () => {
    const markdown = toMarkdown(cited);
    expect(markdown).toContain(
      "30 days [1], [3].\n\nSources:\n\n- \\[1\\] rules.pdf, page 2 · Handbook: 30 days of  leave .",
    );
    expect(markdown).not.toContain("Unused.");
  });
});

describe("a chat file", () => {
  test("a chat file restores the conversation with all branches under new ids", () => {
    const opened = read();
    if (!opened) throw new Error("not read");
    const shown = (tree: typeof snapshot.tree, chosen: object) =>
      visibleTurns(tree, chosen as Record<string, string>).map((turn) => [
        turn.question.text,
        ...turn.lanes.map((lane) => [lane.answer?.text, lane.versions.length]),
      ]);
    expect(shown(buildTree(opened.entries), opened.conversation.chosen)).toEqual(shown(snapshot.tree, talk.chosen));
    expect(opened.entries.map(({ id }) => id).filter((id) => !id.startsWith("new-"))).toEqual([]);
    expect(new Set(opened.entries.map((entry) => entry.conversation))).toEqual(new Set([opened.conversation.id]));
    expect(opened.conversation).toMatchObject({ title: "A talk", named: true, updatedAt: 99, deletedAt: null });
  });

  test("a chat file contains no request ids and costs", () => {
    expect(toChatFile(snapshot)).not.toMatch(/req_secret|receipt|cost/);
  });

  const entry = (at: number, over: object) => (file: Record<string, unknown>) => ({
    ...file,
    entries: (file.entries as object[]).map((one, index) => (index === at ? { ...one, ...over } : one)),
  });
  test.each([
    ["another format", (file: object) => ({ ...file, format: "other" })],
    ["a later version", (file: object) => ({ ...file, version: 2 })],
    ["no list", (file: object) => ({ ...file, entries: {} })],
    ["five models", (file: object) => ({ ...file, models: ["a", "b", "c", "d", "e"] })],
    ["no model", (file: object) => ({ ...file, models: [] })],
    ["a number for a text", entry(0, { text: 5 })],
    ["a picture from elsewhere", entry(0, { attachments: [{ ...picture, data: "https://evil.example/a.png" }] })],
    ["a picture that is a page", entry(0, { attachments: [{ ...picture, data: "data:text/html;base64,AA==" }] })],
    [
      "a picture that is a drawing with scripts",
      entry(0, { attachments: [{ ...picture, data: "data:image/svg+xml;base64,AA==" }] }),
    ],
    ["a lane out of bounds", entry(1, { lane: 4 })],
  ])("a chat file is rejected with %s", (_, change) => {
    expect(read(change as (file: Record<string, unknown>) => unknown)).toBeNull();
  });

  test.each(["", "{", "null", "[]", '"text"', '{"__proto__":{"a":1}}'])(
    "a chat file is rejected when its content is %j",
    (json) => {
      expect(fromChatFile(json, deps)).toBeNull();
    },
  );

  test("a chat file restores an answer that was still streaming as stopped", () => {
    expect(read(entry(1, { state: "streaming" }))?.entries[1]).toMatchObject({ state: "stopped" });
  });
});

test("Markdown contains the visible branch and the system prompt", () => {
  const settings = { ...talk.settings, system: "Be brief.\nBe kind." };
  expect(toMarkdown({ ...snapshot, conversation: { ...talk, settings } })).toBe(
    [
      "# A talk",
      "> Be brief.\n> Be kind.",
      "## You",
      "question q1",
      "*With the image a.png.*",
      "## one",
      "answer a1",
      "## two",
      "answer x1",
      "## You",
      "question q2\n",
    ].join("\n\n"),
  );
});

test.each([
  ["Why feathers insulate", "why-feathers-insulate.md"],
  ["#/etc/passwd", "etc-passwd.md"],
  ["", "chat.md"],
  ["???", "chat.md"],
  ["漢字", "漢字.md"],
])("saves the title %j as %s", (title, name) => {
  expect(toFileName(title, "md")).toBe(name);
});
