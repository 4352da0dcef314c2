import { describe, expect, test } from "vitest";
import { type ChatExport, readChatExport, readChatFile, type Unzip } from "./chat-imports.ts";

const now = new Date("2026-11-30T08:00:00Z");
const read = (value: unknown) => readChatExport(JSON.stringify(value), { now });
/** Returns who wrote what, in the order of a chat. */
const texts = ({ chats }: ChatExport, chat = 0) => chats[chat]?.entries.map(({ kind, text }) => [kind, text]);
const NOTHING = {
  emptyChats: 0,
  unreadable: 0,
  otherBranches: 0,
  tooMany: 0,
  files: 0,
  toolCalls: 0,
  thoughts: 0,
  cutTexts: 0,
};

/** A node of ChatGPT's tree. */
const node = (id: string, parent: string | null, role: string, content: object, fields: object = {}) => ({
  id,
  parent,
  children: [],
  message: {
    id,
    author: { role, name: null, metadata: {} },
    create_time: 1_700_000_000.5,
    content,
    status: "finished_successfully",
    recipient: "all",
    metadata: {},
    ...fields,
  },
});
const text = (...parts: string[]) => ({ content_type: "text", parts });
const chatGpt = (nodes: ReturnType<typeof node>[], fields: object = {}) => ({
  title: "Birds",
  create_time: 1_700_000_000,
  update_time: 1_700_000_900,
  mapping: {
    root: { id: "root", parent: null, children: [], message: null },
    ...Object.fromEntries(nodes.map((one) => [one.id, one])),
  },
  current_node: nodes.at(-1)?.id,
  conversation_id: "6716c4e4-0000-8007-b0a5-000000000001",
  ...fields,
});

describe("an export of ChatGPT", () => {
  const nodes = [
    node("s", "root", "system", text("")),
    node("q1", "s", "user", text("Which bird is light?")),
    node("old", "q1", "assistant", text("The wren.")),
    node("t", "q1", "assistant", { content_type: "thoughts", thoughts: [] }),
    node("c", "t", "assistant", { content_type: "code", text: "search()" }, { recipient: "web" }),
    node("r", "c", "tool", { content_type: "tether_quote", text: "…" }),
    node("a1", "r", "assistant", text("The bee hummingbird."), { metadata: { model_slug: "gpt-4o" } }),
    node("q2", "a1", "user", {
      content_type: "multimodal_text",
      parts: [{ content_type: "image_asset_pointer", asset_pointer: "file-service://1" }, "And this one?"],
    }),
    node("a2", "q2", "assistant", text("A", "goldcrest."), { status: "in_progress" }),
  ];

  test("has the branch that was shown last, with models and times, and counts what is left out", async () => {
    const result = await read([chatGpt(nodes)]);
    expect(texts(result)).toEqual([
      ["question", "Which bird is light?"],
      ["answer", "The bee hummingbird."],
      ["question", "And this one?"],
      ["answer", "A\ngoldcrest."],
    ]);
    expect(result.report).toEqual({
      source: "chatgpt",
      chats: 1,
      messages: 4,
      leftOut: { ...NOTHING, otherBranches: 1, thoughts: 1, toolCalls: 2, files: 1 },
    });
    const [chat] = result.chats;
    expect(chat?.conversation).toMatchObject({ title: "Birds", is_named: true, is_archived: false, models: [] });
    expect(chat?.conversation.updated_at).toEqual(new Date(1_700_000_900_000));
    expect(chat?.entries.map(({ answer }) => answer?.model ?? null)).toEqual([null, "gpt-4o", null, "unknown"]);
    expect(chat?.entries.at(-1)?.answer?.state).toBe("stopped");
  });

  test("has questions and answers that follow each other, each with a time of its own", async () => {
    const { chats } = await read([chatGpt(nodes)]);
    const entries = chats[0]?.entries ?? [];
    const ids = entries.map(({ id }) => id);
    expect(ids).toEqual([0, 1, 2, 3].map((place) => `${chats[0]?.id}-${place}`));
    expect(entries.map(({ question, answer }) => question?.after ?? answer?.question)).toEqual([
      [],
      ids[0],
      [ids[1]],
      ids[2],
    ]);
    const times = entries.map(({ created_at }) => created_at.getTime());
    expect(times).toEqual([1_700_000_000_500, 1_700_000_000_501, 1_700_000_000_502, 1_700_000_000_503]);
  });

  test("has messages of one role that follow each other as one, and keeps an answer before the first question", async () => {
    const result = await read([
      chatGpt([
        node("a0", "root", "assistant", text("Hello!")),
        node("q1", "a0", "user", text("One")),
        node("q2", "q1", "user", text("Two")),
      ]),
    ]);
    expect(texts(result)).toEqual([
      ["question", ""],
      ["answer", "Hello!"],
      ["question", "One\n\nTwo"],
    ]);
  });

  test("gives the same chat the same ids again, and other chats others", async () => {
    const [first, again, other] = await Promise.all([
      read([chatGpt(nodes)]),
      read([chatGpt(nodes)]),
      read([chatGpt(nodes, { conversation_id: "another" })]),
    ]);
    expect(first.chats).toEqual(again.chats);
    expect(first.chats[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(first.chats[0]?.id).not.toBe(other.chats[0]?.id);
  });

  test("counts chats without messages, and elements that are no chats", async () => {
    const result = await read([chatGpt(nodes), chatGpt([]), { title: "No tree" }, null, 7]);
    expect(result.report).toMatchObject({ chats: 1, leftOut: { emptyChats: 1, unreadable: 3 } });
  });

  test("with a circle of parents, or a leaf that is not there, has the messages that can be found", async () => {
    const circle = chatGpt([node("q1", "a1", "user", text("One")), node("a1", "q1", "assistant", text("Two"))]);
    expect(texts(await read([circle]))).toHaveLength(2);
    expect(texts(await read([chatGpt(nodes, { current_node: "gone" })]))).toHaveLength(4);
  });

  test("of 10,000 chats has each of them once", async () => {
    const chats = Array.from({ length: 10_000 }, (_, index) => chatGpt(nodes, { conversation_id: `chat ${index}` }));
    const result = await read([...chats, ...chats.slice(0, 10)]);
    expect([result.report?.chats, new Set(result.chats.map(({ id }) => id)).size]).toEqual([10_000, 10_000]);
  });
});

describe("an export of Open WebUI", () => {
  const message = (id: string, parentId: string | null, role: string, content: string, fields: object = {}) => ({
    id,
    parentId,
    childrenIds: [],
    role,
    content,
    timestamp: 1_700_000_000,
    ...fields,
  });
  const messages = [
    message("u1", null, "user", "Two birds?", { models: ["llama3", "qwen3"], files: [{ type: "image" }] }),
    message("x1", "u1", "assistant", "Other model", { model: "qwen3" }),
    message(
      "a1",
      "u1",
      "assistant",
      '<details type="reasoning" done="true" duration="3">\n<summary>Thought</summary>\n> Hm\n</details>\nWren, <details>kept</details>',
      { model: "llama3", done: true },
    ),
  ];
  const chat = (fields: object = {}) => ({
    id: "f3b1b6a2-0000-4000-8000-000000000001",
    user_id: "u",
    title: "Two birds",
    chat: {
      title: "Two birds",
      models: ["llama3", "qwen3"],
      history: { messages: Object.fromEntries(messages.map((one) => [one.id, one])), currentId: "a1" },
      messages: [],
    },
    created_at: 1_700_000_000,
    updated_at: 1_700_000_500,
    archived: true,
    pinned: true,
    ...fields,
  });

  test("has the branch that was shown last, and its place in the list", async () => {
    const result = await read([chat()]);
    expect(texts(result)).toEqual([
      ["question", "Two birds?"],
      ["answer", "Wren, <details>kept</details>"],
    ]);
    expect(result.report).toMatchObject({
      source: "open-webui",
      leftOut: { ...NOTHING, otherBranches: 1, thoughts: 1, files: 1 },
    });
    expect(result.chats[0]?.conversation).toMatchObject({ is_archived: true, is_pinned: true });
    expect(result.chats[0]?.entries[1]?.answer?.model).toBe("llama3");
  });

  test("without messages is counted", async () => {
    const result = await read([chat({ chat: { title: "Empty" } })]);
    expect(result.report).toMatchObject({ chats: 0, leftOut: { emptyChats: 1 } });
  });
});

describe("an export of LibreChat", () => {
  const message = (messageId: string, parentMessageId: string, isCreatedByUser: boolean, fields: object) => ({
    messageId,
    parentMessageId,
    isCreatedByUser,
    sender: isCreatedByUser ? "User" : "GPT-4o",
    model: isCreatedByUser ? null : "gpt-4o",
    createdAt: "2026-01-02T03:04:05.000Z",
    ...fields,
  });
  const ROOT = "00000000-0000-0000-0000-000000000000";
  const question = message("u1", ROOT, true, { text: "Which bird?" });
  const old = message("a0", "u1", false, { text: "None", createdAt: "2026-01-02T03:04:06.000Z" });
  const newest = message("a1", "u1", false, {
    text: "",
    content: [
      { type: "think", think: "Hm" },
      { type: "text", text: { value: "The wren." } },
      { type: "tool_call", tool_call: { name: "search" } },
      { type: "image_file", image_file: {} },
    ],
    createdAt: "2026-01-02T03:04:07.000Z",
    unfinished: true,
  });
  const file = (fields: object) => ({ conversationId: "c1", endpoint: "openAI", title: "A bird", ...fields });

  test.each([
    ["a list", file({ branches: true, recursive: false, messages: [question, old, newest] })],
    ["a tree", file({ recursive: true, messagesTree: [{ ...question, children: [old, newest] }] })],
  ])("as %s has the branch that was written last", async (_what, value) => {
    const result = await read(value);
    expect(texts(result)).toEqual([
      ["question", "Which bird?"],
      ["answer", "The wren."],
    ]);
    expect(result.report).toEqual({
      source: "librechat",
      chats: 1,
      messages: 2,
      leftOut: { ...NOTHING, otherBranches: 1, thoughts: 1, toolCalls: 1, files: 1 },
    });
    expect(result.chats[0]?.entries[1]).toMatchObject({
      created_at: new Date("2026-01-02T03:04:07Z"),
      answer: { model: "gpt-4o", state: "stopped" },
    });
  });
});

test.each(["", "{", "[]", "null", '"text"', "{}", '[{"a":1}]', '{"conversationId":"c1"}'])(
  "a file that is no known export has no chats: %s",
  async (json) => {
    expect(await readChatExport(json)).toEqual({ chats: [], report: null });
  },
);

test("what is read keeps the limits of the API: titles, ids, characters, lengths and numbers of messages", async () => {
  const nodes = [node("id with spaces", "root", "user", text("a\0b".padEnd(2_000_010, "x")))];
  for (let index = 0; index < 5_002; index++)
    nodes.push(node(`n${index}`, nodes.at(-1)?.id ?? null, index % 2 ? "user" : "assistant", text("y")));
  const { chats, report } = await read([chatGpt(nodes, { title: `A\u202e${"long ".repeat(100)}` })]);
  expect(report).toMatchObject({ messages: 5_000, leftOut: { tooMany: 3, cutTexts: 1 } });
  const [chat] = chats;
  expect(chat?.conversation.title).toMatch(/^A long [^\u202e]{1,193}$/);
  expect(chat?.entries.at(-1)?.id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(chat?.entries[0]?.text).toMatch(/^abx{1,1999998}$/);
});

describe("the file of an export", () => {
  const bytes = (content: string) => new TextEncoder().encode(content);
  /** Unpacks nothing: stands for a ZIP file with these files, and obeys the filter. */
  const unzipping =
    (files: Record<string, string>): Unzip =>
    (_bytes, { filter }) =>
      Object.fromEntries(
        Object.entries(files)
          .filter(([name, content]) => filter({ name, originalSize: content.length }))
          .map(([name, content]) => [name, bytes(content)]),
      );
  const files = { "b/conversations-001.json": "[2]", "conversations-000.json": "[1]", "chat.html": "x".repeat(100) };

  test("is its own text, or the files with chats in a ZIP file", () => {
    const options = { unzip: unzipping(files), maxBytes: 10 };
    expect(readChatFile(bytes("[é]"), options)).toEqual({ texts: ["[é]"] });
    expect(readChatFile(bytes("PK..."), options)).toEqual({ texts: ["[2]", "[1]"] });
  });

  test("is not read where it is too large, packed or unpacked, or broken", () => {
    const options = { unzip: unzipping(files), maxBytes: 5 };
    expect(readChatFile(bytes("123456"), options)).toEqual({ problem: "too-large" });
    expect(readChatFile(bytes("PK"), options)).toEqual({ problem: "too-large" });
    const unzip = () => {
      throw new Error("invalid zip data");
    };
    expect(readChatFile(bytes("PK"), { unzip, maxBytes: 5 })).toEqual({ problem: "unreadable" });
  });
});
