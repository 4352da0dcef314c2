import { describe, expect, test } from "vitest";
import { EMPTY_LINE, editLine, lineText } from "../line/line.ts";
import { parseSlashCommand } from "./slash-command.ts";
import {
  buildMessages,
  type ChatAction,
  type ChatState,
  chatReducer,
  createInitialState,
  withoutLastExchange,
} from "./state.ts";

const MODEL = { id: "Qwen/Qwen3-32B", units: 2, limit: 4, acceptsImages: true };
const after = (...actions: ChatAction[]): ChatState =>
  actions.reduce(chatReducer, createInitialState(MODEL, undefined, true));
const entryTexts = (state: ChatState) => state.entries.map(({ kind, text }) => `${kind}: ${text}`);

test("the header shows the model, its units and how to leave", () => {
  expect(entryTexts(after())).toEqual(["head: Qwen3-32B · 2 of your 4 units · /help for commands, Ctrl-D to leave"]);
});

describe("chatReducer", () => {
  test("chatReducer adds complete lines of an answer as entries and keeps its text unchanged", () => {
    const coming = after(
      { type: "asked", text: "why?" },
      { type: "said", text: "one\ntw" },
      { type: "said", text: "o\u001b" },
    );
    expect(entryTexts(coming).slice(1)).toEqual(["prompt: why?", "answer: one"]);
    expect(coming.pendingAnswer?.tail).toBe("two\\x1b");
    const ended = chatReducer(coming, { type: "ended", note: "2 tokens" });
    expect(entryTexts(ended).slice(3)).toEqual(["answer: two\\x1b", "note: 2 tokens"]);
    expect(ended.messages.at(-1)).toEqual({ role: "assistant", content: "one\ntwo\u001b" });
  });

  test("chatReducer keeps the partial text of a stopped answer", () => {
    const state = after(
      { type: "asked", text: "a" },
      { type: "said", text: "half" },
      { type: "ended", note: "stopped" },
    );
    expect(state.messages.map(({ content }) => content)).toEqual(["a", "half"]);
  });

  test("chatReducer removes the prompt of an answer that failed before it began, and can retry it", () => {
    const state = after({ type: "asked", text: "a" }, { type: "failed", text: "No." });
    expect(state.messages).toEqual([]);
    expect(state.lastPrompt).toBe("a");
    expect(withoutLastExchange(state).messages).toEqual([]);
  });

  test("chatReducer replaces the previous answer on retry", () => {
    const state = after({ type: "asked", text: "a" }, { type: "said", text: "b" }, { type: "ended", note: null });
    expect(buildMessages(withoutLastExchange(state), "a")).toEqual([{ role: "user", content: "a" }]);
  });
});

test("the system message goes first, and /clear keeps it", () => {
  const state = after(
    { type: "instructed", system: "Be brief." },
    { type: "asked", text: "a" },
    { type: "said", text: "b" },
    { type: "ended", note: null },
    { type: "forgot" },
  );
  expect(buildMessages(state, "c")).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "c" },
  ]);
});

test("a conversation that goes on shows its last exchange, and sends all of it", () => {
  const messages = [
    { role: "user", content: "a" },
    { role: "assistant", content: "b" },
    { role: "user", content: "c" },
    { role: "assistant", content: "one\ntwo" },
  ] as const;
  const state = createInitialState(MODEL, undefined, true, { note: "Goes on with /tmp/x.md, 4 messages.", messages });
  expect(entryTexts(state).slice(1)).toEqual([
    "note: Goes on with /tmp/x.md, 4 messages.",
    "prompt: c",
    "answer: one",
    "answer: two",
  ]);
  expect(buildMessages(state, "d")).toEqual([...messages, { role: "user", content: "d" }]);
  expect(state.pendingAnswer).toBeNull();
  expect(withoutLastExchange(state).messages).toEqual(messages.slice(0, 2));
});

test.each([
  ["/model Qwen/Qwen3-8B", { type: "model", id: "Qwen/Qwen3-8B" }],
  ["/system", { type: "system", text: null }],
  ["/save notes.md", { type: "save", path: "notes.md" }],
  ["/save", { type: "save", path: null }],
  ["/?", { type: "help" }],
  ["/quit", { type: "leave" }],
  ["/nonsense", { type: "unknown", name: "nonsense" }],
  ["/modle a/b", { type: "unknown", name: "modle" }],
  ["/etc is a folder?", null],
  ["/etc/hosts is a file", null],
  ["hello", null],
])("parses %s as a command or a prompt", (text, slash) => {
  expect(parseSlashCommand(text)).toEqual(slash);
});

test("editing a line works on grapheme clusters", () => {
  const line = editLine(editLine(EMPTY_LINE, { type: "insert", text: "hi 👩‍🚀" }), { type: "backspace" });
  expect(lineText(line)).toBe("hi ");
  expect(lineText(editLine(editLine(line, { type: "insert", text: "you two" }), { type: "cutWord" }))).toBe("hi you ");
  expect(lineText(editLine(editLine(line, { type: "home" }), { type: "insert", text: "oh " }))).toBe("oh hi ");
});
