import { describe, expect, test } from "vitest";
import { type ChatExport, readChatExport } from "../chat-imports.ts";
import { chain, EXPORTERS } from "../testing/chat-exports.ts";
import type { ChatSource } from "./source-chat.ts";

const now = new Date("2026-11-30T08:00:00Z");
const read = (...values: unknown[]) => readChatExport(JSON.stringify(values), { now });
const textsOf = ({ chats }: ChatExport, place = 0) => chats[place]?.entries.map(({ text }) => text) ?? [];
const SOURCES = Object.keys(EXPORTERS) as ChatSource[];
/** The programs whose exports name the message that was shown last. */
const WITH_LEAF = ["chatgpt", "open-webui"] as const;
/** Names that every object has, and one that sets what it has. */
const INHERITED = ["__proto__", "constructor", "toString", "hasOwnProperty"];

describe.each(SOURCES)("a broken export of %s", (source) => {
  const write = EXPORTERS[source];

  test("whose messages follow each other in a circle is read once around", async () => {
    const [first, ...rest] = chain(4);
    const result = await read(write([{ ...first, id: "m0", parent: "m3" }, ...rest]));
    expect(textsOf(result)).toEqual(["Text 0", "Text 1", "Text 2", "Text 3"]);
  });

  test("with a message that follows itself has it once", async () => {
    expect(textsOf(await read(write([{ id: "m0", parent: "m0", text: "Alone" }])))).toEqual(["Alone"]);
  });

  test("with a parent that is not there begins after it", async () => {
    const result = await read(write(chain(5).filter(({ id }) => id !== "m1")));
    expect(textsOf(result)).toEqual(["Text 2", "Text 3", "Text 4"]);
    expect(result.report?.leftOut.otherBranches).toBe(1);
  });

  test.each([[7], [{ id: "m0" }], [["m0"]], [true], [""]])("with the parent %j begins there", async (parent) => {
    const [first, second] = chain(2);
    const result = await read(
      write([
        { ...first, id: "m0" },
        { ...second, id: "m1", role: "user", parent },
      ]),
    );
    expect(textsOf(result)).toEqual(["Text 1"]);
  });

  test("with 20,000 messages after each other has the first 5,000 and counts the others", async () => {
    const { report } = await read(write(chain(20_000)));
    expect(report).toMatchObject({ messages: 5_000, leftOut: { tooMany: 15_000, otherBranches: 0 } });
  });

  test.each(INHERITED)("with a message named %s is read like any other", async (id) => {
    const result = await read(
      write([
        { id, text: "Question" },
        { id: "m1", parent: id, role: "assistant", text: "Answer" },
      ]),
    );
    expect(textsOf(result)).toEqual(["Question", "Answer"]);
    expect(result.report?.leftOut.otherBranches).toBe(0);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("with two chats of one id has the later of them, and with other ids each", async () => {
    const [old, later] = ["Old", "New"].map((text) => write([{ id: "m0", text }]));
    const other = write([{ id: "m0", text: "Other" }], { id: "c2" });
    const result = await read(old, later, other);
    expect([textsOf(result, 0), textsOf(result, 1), result.report?.chats]).toEqual([["New"], ["Other"], 2]);
    expect(result.chats[0]?.id).not.toBe(result.chats[1]?.id);
  });

  test.each([[null], [""], [7], [{}], [["c1"]]])("with a chat whose id is %j keeps the other chats", async (id) => {
    const result = await read(write(chain(2)), { ...write(chain(2), { id }) });
    expect(result.report).toMatchObject({ chats: 1, messages: 2, leftOut: { unreadable: 1 } });
  });

  test.each([
    ["", "", false],
    [" \n ", "", false],
    ["\u200b\u202e", "", false],
    [7, "", false],
    [null, "", false],
    [["Birds"], "", false],
    ["  A\u0000 bird ", "A  bird", true],
    [`${"x".repeat(199)}😀`, `${"x".repeat(199)}\ufffd`, true],
  ])("with the title %j is called %j", async (title, expected, isNamed) => {
    const { chats } = await read(write(chain(2), { title }));
    expect(chats[0]?.conversation).toMatchObject({ title: expected, is_named: isNamed });
  });

  test.each([[null], [7], [{ text: "x" }], [["x"]], [""], [" \n\t "]])(
    "with a message whose text is %j leaves that message out",
    async (text) => {
      const [first, second, third] = chain(3);
      const result = await read(
        write([
          { ...first, id: "m0" },
          { ...second, id: "m1", text },
          { ...third, id: "m2" },
        ]),
      );
      expect(textsOf(result)).toEqual(["Text 0\n\nText 2"]);
    },
  );

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["zero", 0],
    ["a negative number", -1_700_000_000],
    ["more milliseconds than there are", 1e300],
    ["a year of five digits", 253_402_300_800_000],
    ["a word", "yesterday"],
    ["digits as a text", "1700000000"],
    ["a year with a sign", "+275760-09-13T00:00:00.000Z"],
    ["a year before 1970", "1066-10-14T00:00:00Z"],
    ["a day that is not", "2026-13-41T00:00:00Z"],
    ["an object", { $date: 1_700_000_000 }],
  ])("with %s as the time of everything has the time of the import", async (_what, time) => {
    const messages = chain(3).map((message) => ({ ...message, time }));
    const { chats } = await read(write(messages, { time }));
    expect(chats[0]?.conversation.created_at).toEqual(now);
    expect(chats[0]?.entries.map(({ created_at }) => created_at.getTime() - now.getTime())).toEqual([0, 1, 2]);
  });

  test("with messages whose times run backwards has them in the order of the branch, each later than the last", async () => {
    const times = ["2026-03-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-04-01T00:00:00Z", "2026-01-01T00:00:00Z"];
    const messages = chain(4).map((message, place) => ({ ...message, time: times[place] }));
    // LibreChat's export names no leaf: its branch is that of the newest message.
    const shown = source === "librechat" ? 3 : 4;
    const { chats } = await read(write(messages));
    const found = chats[0]?.entries.map(({ created_at }) => created_at.getTime()) ?? [];
    expect(found).toHaveLength(shown);
    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
  });

  test.each([
    [null, "unknown"],
    [7, "unknown"],
    ["\u202e\u0000", "unknown"],
    [" llama\u0000\u202e3 \ud800", "llama 3 \ufffd"],
    ["m".repeat(300), "m".repeat(256)],
  ])("with an answer of the model %j names it %j, also for its question", async (model, expected) => {
    const { chats } = await read(write(chain(2).map((message) => ({ ...message, model }))));
    const [question, answer] = chats[0]?.entries ?? [];
    expect([question?.question?.models, answer?.answer?.model]).toEqual([[expected], expected]);
  });

  test("with chats of another program in it has its own, and counts the others", async () => {
    const others = SOURCES.filter((one) => one !== source).map((one) => EXPORTERS[one](chain(2)));
    const result = await read(write(chain(2)), ...others);
    expect(result.report).toMatchObject({ source, chats: 1, leftOut: { unreadable: 2 } });
  });

  test("that was cut off is no export, and counts as unreadable beside another part", async () => {
    const whole = JSON.stringify([write(chain(2))]);
    const cut = whole.slice(0, -10);
    expect(await readChatExport(cut, { now })).toEqual({ chats: [], report: null });
    const { report } = await readChatExport([whole, cut], { now });
    expect(report).toMatchObject({ source, chats: 1, leftOut: { unreadable: 1 } });
  });
});

describe.each(WITH_LEAF)("an export of %s that names the last message", (source) => {
  const write = EXPORTERS[source];

  test.each([["gone"], [null], [7], [{}], ["__proto__"], ["constructor"]])(
    "as %j, which it does not have, ends with its last one",
    async (leaf) => {
      const result = await read(write(chain(2), { leaf }));
      expect(textsOf(result)).toEqual(["Text 0", "Text 1"]);
      expect(result.report?.leftOut.otherBranches).toBe(0);
    },
  );

  test("counts what is in other branches", async () => {
    const result = await read(write([...chain(4), { id: "x", parent: "m0", role: "assistant" }], { leaf: "m1" }));
    expect(textsOf(result)).toEqual(["Text 0", "Text 1"]);
    expect(result.report?.leftOut.otherBranches).toBe(3);
  });
});

describe("parts of messages of ChatGPT", () => {
  const content = (value: unknown, role = "user") => ({
    ...EXPORTERS.chatgpt([]),
    current_node: "m0",
    mapping: { m0: { message: { author: { role }, content: value } } },
  });

  test("that are neither texts nor objects are left out, and only objects count as files", async () => {
    const parts = [null, "One", 7, ["Two"], { content_type: "image_asset_pointer" }, "Three", null];
    const result = await read(content({ content_type: "multimodal_text", parts }));
    expect([textsOf(result), result.report?.leftOut.files]).toEqual([["One\nThree"], 1]);
  });

  test.each([[null], ["One"], [{ 0: "One" }], [[null, null]], [[[]]]])("%j are no message", async (parts) => {
    expect((await read(content({ content_type: "text", parts }))).report).toMatchObject({
      chats: 0,
      leftOut: { emptyChats: 1, files: 0 },
    });
  });

  test("in which somebody speaks are read as texts", async () => {
    const parts = [{ content_type: "audio_transcription", text: "Spoken" }];
    expect(textsOf(await read(content({ content_type: "multimodal_text", parts })))).toEqual(["Spoken"]);
  });

  test("that are code with fences in it stay one block", async () => {
    const text = "print('''\n```\n''')";
    const result = await read(content({ content_type: "code", language: "python", text }));
    expect(textsOf(result)).toEqual([`\`\`\`\`python\n${text}\n\`\`\`\``]);
  });

  test.each(["system", "critic", "", 7, null])("of the role %j are left out", async (role) => {
    const result = await read(content({ content_type: "text", parts: ["One"] }, role as string));
    expect(result.report).toMatchObject({ chats: 0, leftOut: { emptyChats: 1 } });
  });
});

describe("blocks in answers of Open WebUI", () => {
  const answer = (text: string) =>
    read(EXPORTERS["open-webui"]([{ id: "m0" }, { id: "m1", parent: "m0", role: "assistant", text }]));

  test("are left out wherever they are, and counted by what they hold", async () => {
    const result = await answer(
      '<details type="reasoning" done="true">Hm</details>\nOne <details type="tool_calls" name="f">{}</details> two\n<details type="code_interpreter">1</details>\n',
    );
    expect(textsOf(result)[1]).toBe("One two");
    expect(result.report?.leftOut).toMatchObject({ thoughts: 1, toolCalls: 2 });
  });

  test("that do not end stay, so that nothing is lost", async () => {
    const result = await answer('One <details type="reasoning">Hm</details> two <details type="reasoning">three');
    expect(textsOf(result)[1]).toBe('One two <details type="reasoning">three');
  });

  test.each([
    ["beginnings without an end", '<details type="a">'.repeat(100_000)],
    ["beginnings that are cut off, before an end", `${'<details type="a" '.repeat(100_000)}</details>`],
    ["ends without a beginning", "</details>".repeat(100_000)],
  ])("in the number of 100,000 %s are read in one go", async (_what, text) => {
    expect(textsOf(await answer(text))[1]).toBe(text.trim());
  });
});

describe("trees of LibreChat", () => {
  const tree = (messagesTree: unknown) => read({ conversationId: "c1", title: "Birds", messagesTree });

  test("of 10,000 levels are read to the last one", async () => {
    // Written as text, because JSON.stringify runs out of stack at this depth.
    const levels = Array.from(
      { length: 9_999 },
      (_, level) => `{"messageId":"m${level}","isCreatedByUser":${level % 2 === 0},"text":"Text","children":[`,
    );
    const json = `{"conversationId":"c1","messagesTree":[${levels.join("")}{"messageId":"last","text":"Last"}${"]}".repeat(9_999)}]}`;
    const { report } = await readChatExport(json, { now });
    expect(report).toMatchObject({ messages: 5_000, leftOut: { tooMany: 5_000, otherBranches: 0 } });
  });

  test("with 200,000 answers to one question have the last of them", async () => {
    const children = Array.from({ length: 200_000 }, (_, place) => ({
      messageId: `a${place}`,
      text: `Answer ${place}`,
    }));
    const result = await tree([{ messageId: "q", isCreatedByUser: true, text: "Question", children }]);
    expect(textsOf(result)).toEqual(["Question", "Answer 199999"]);
    expect(result.report?.leftOut.otherBranches).toBe(199_999);
  });

  test("with messages of one id have the later one, and count the other", async () => {
    const result = await tree([
      { messageId: "q", isCreatedByUser: true, text: "Old" },
      { messageId: "q", isCreatedByUser: true, text: "New" },
    ]);
    expect([textsOf(result), result.report?.leftOut.otherBranches]).toEqual([["New"], 1]);
  });

  test("with children and parts that are null have the others", async () => {
    const result = await tree([
      null,
      {
        messageId: "q",
        isCreatedByUser: true,
        text: "Question",
        files: [null, { file_id: "f" }],
        children: [null, 7, "x"],
      },
      { messageId: "a", parentMessageId: "q", content: [null, 7, { type: "text", text: "Answer" }, { type: "error" }] },
    ]);
    expect([textsOf(result), result.report?.leftOut.files]).toEqual([["Question", "Answer"], 1]);
  });
});
