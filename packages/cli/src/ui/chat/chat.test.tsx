import { AbortedError } from "@feather/sdk";
import { waitFor } from "@feather/testing/wait-for";
import { cleanup, render } from "ink-testing-library";
import { createElement } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { AnswerPiece } from "../../chat/answer.ts";
import { Prompt } from "../prompt/prompt.tsx";
import { Chat, type ChatProps } from "./chat.tsx";

const UP = "\u001b[A";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

afterEach(() => cleanup());

async function* pieces(...texts: string[]): AsyncGenerator<AnswerPiece> {
  for (const text of texts) yield { kind: "text", text };
  yield { kind: "stats", stats: { tokens: 212, tokensPerSecond: 62, firstTokenMs: 236 } };
}

function start(fields: Partial<ChatProps> = {}) {
  const props: ChatProps = {
    start: { id: "Qwen/Qwen3-32B", units: 2, limit: 4, acceptsImages: true },
    color: false,
    unicode: true,
    streamAnswer: vi.fn<ChatProps["streamAnswer"]>(() => pieces("Mostly trapped", " air.")),
    loadModel: async (id) => ({ id, units: 1, limit: 4, acceptsImages: false }),
    keep: vi.fn<ChatProps["keep"]>(),
    save: vi.fn<ChatProps["save"]>(async (path) => path ?? "feather-chat.md"),
    readFile: async (path) => `${path}:\n\`\`\`\nlight\n\`\`\``,
    readPicture: async (name) => ({ name, url: "data:image/png;base64,x" }),
    listPaths: async (start) => ["notes.md", "notes.txt", "src/"].filter((path) => path.startsWith(start)),
    editText: async (text) => `${text} and more`,
    stopProcess: vi.fn<ChatProps["stopProcess"]>(async () => {}),
    history: [],
    saveHistory: vi.fn<ChatProps["saveHistory"]>(),
    explain: (error) => (error instanceof AbortedError ? null : String(error)),
    ...fields,
  };
  const app = render(createElement(Chat, props));
  const type = async (...keys: string[]) => {
    for (const key of keys) {
      await new Promise((resolve) => setTimeout(resolve, 15));
      app.stdin.write(key);
    }
  };
  const sees = (text: string) => waitFor(() => expect(app.lastFrame()).toContain(text));
  return { ...app, props, type, sees };
}

test("the chat shows the answer with its statistics, and sends the conversation with the next prompt", async () => {
  const { type, sees, props } = start();
  await sees("Qwen3-32B · 2 of your 4 units");
  await type("why?", "\r");
  await sees("› why?\nMostly trapped air.\n  212 tokens · 62/s · first after 236 ms");
  await type("and?", "\r");
  await waitFor(() => expect(props.streamAnswer).toHaveBeenCalledTimes(2));
  expect(vi.mocked(props.streamAnswer).mock.calls[1]?.[0].messages).toEqual([
    { role: "user", content: "why?" },
    { role: "assistant", content: "Mostly trapped air." },
    { role: "user", content: "and?" },
  ]);
});

test("the chat sends a prompt that was typed before the program listened", async () => {
  const { type, sees, props } = start();
  await sees("Qwen3-32B");
  await type("why?\n");
  await sees("Mostly trapped air.");
  expect(vi.mocked(props.streamAnswer).mock.calls[0]?.[0].messages).toEqual([{ role: "user", content: "why?" }]);
});

test("a prompt that wraps keeps the space after its sign, while it is typed and after it is sent", async () => {
  const { type, sees } = start();
  await sees("Qwen3-32B");
  const prompt = "a".repeat(150);
  await type(prompt);
  await sees(`› ${"a".repeat(98)}\n  ${"a".repeat(52)}`);
  await type("\r");
  await sees("Mostly trapped air.");
  await sees(`› ${"a".repeat(98)}\n  ${"a".repeat(52)}\nMostly`);
});

test("Ctrl-J starts a new line", async () => {
  const { type, sees, props } = start();
  await sees("Qwen3-32B");
  await type("why?", "\n", "how?", "\r");
  await sees("Mostly trapped air.");
  expect(vi.mocked(props.streamAnswer).mock.calls[0]?.[0].messages).toEqual([{ role: "user", content: "why?\nhow?" }]);
});

test("Ctrl-C stops the answer and keeps its partial text", async () => {
  const { type, sees } = start({
    async *streamAnswer(_, signal) {
      yield { kind: "text", text: "Half an" };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw new AbortedError("stopped");
    },
  });
  await type("why?", "\r");
  await sees("Half an");
  await type(CTRL_C);
  await sees("Half an\n  stopped");
});

test("the chat shows an error and continues the conversation", async () => {
  const { type, sees } = start({
    // biome-ignore lint/correctness/useYield: it fails at once
    async *streamAnswer() {
      throw new Error("all units are in use");
    },
  });
  await type("why?", "\r");
  await sees("all units are in use");
  await type("still here");
  await sees("› still here");
});

test("the up arrow recalls the last prompt, and a backslash continues a line", async () => {
  const { type, sees } = start();
  await type("one\\", "\r", "two");
  await sees("› one\n  two");
  await type("\r");
  await sees("212 tokens");
  await type(UP);
  await sees("first after 236 ms\n\n› one\n  two");
});

test("the chat recalls prompts of earlier conversations and stores new ones", async () => {
  const { type, sees, props } = start({ history: ["an old one"] });
  await type(UP);
  await sees("› an old one");
  await type("\r");
  await sees("212 tokens");
  expect(props.saveHistory).toHaveBeenCalledWith(["an old one", "an old one"]);
});

test("/file sends a file with the next prompt only", async () => {
  const { type, sees, props } = start();
  await type("/file notes.txt", "\r");
  await sees("notes.txt goes with the next prompt.");
  await type("what is it?", "\r");
  await sees("212 tokens");
  await type("and?", "\r");
  await waitFor(() => expect(props.streamAnswer).toHaveBeenCalledTimes(2));
  expect(vi.mocked(props.streamAnswer).mock.calls[1]?.[0].messages.map(({ content }) => content)).toEqual([
    "notes.txt:\n```\nlight\n```\n\nwhat is it?",
    "Mostly trapped air.",
    "and?",
  ]);
});

test("the chat renders an answer as Markdown and saves its source", async () => {
  const { type, sees, lastFrame } = start({
    color: true,
    streamAnswer: () => pieces("# Down\n\n- **light**\n```\n# code\n```\n"),
  });
  await type("why?", "\r");
  await sees("212 tokens");
  expect(lastFrame()).toContain("Down");
  expect(lastFrame()).not.toContain("# Down");
  expect(lastFrame()).toContain("•");
  expect(lastFrame()).not.toContain("**");
  expect(lastFrame()).toContain("code");
});

test("the chat keeps a line of code in one piece, however long it is", async () => {
  const code = `const feather = "${"light ".repeat(30)}";`;
  const { type, sees } = start({ streamAnswer: () => pieces("```ts\n", code, "\n```\n") });
  await type("why?", "\r");
  await sees("212 tokens");
  await sees(code);
});

test("the chat renders a table once it is complete", async () => {
  const table = "| Bird | Weight |\n|---|---:|\n| wren | 9 g |\n";
  const { type, sees } = start({ color: true, streamAnswer: () => pieces(table, "\nLight.") });
  await type("which?", "\r");
  await sees("212 tokens");
  await sees("──────");
  await sees("wren     9 g");
});

test("a conversation is kept after each answer, and one that goes on is named and not kept before its next answer", async () => {
  const messages = [
    { role: "user", content: "why?" },
    { role: "assistant", content: "Air." },
  ] as const;
  const { type, sees, props } = start({ resumed: { note: "Goes on with “why?”, 2 messages, 3 days ago.", messages } });
  await sees("Goes on with “why?”, 2 messages, 3 days ago.");
  expect(props.keep).not.toHaveBeenCalled();
  await type("and?", "\r");
  await sees("212 tokens");
  const answered = [
    ...messages,
    { role: "user", content: "and?" },
    { role: "assistant", content: "Mostly trapped air." },
  ];
  expect(props.keep).toHaveBeenCalledExactlyOnceWith({
    model: "Qwen/Qwen3-32B",
    system: undefined,
    messages: answered,
  });
});

test("/model changes the model and /save saves the conversation", async () => {
  const { type, sees, props } = start();
  await type("/model Qwen/Qwen3-8B", "\r");
  await sees("Talking to Qwen/Qwen3-8B");
  await type("hi", "\r");
  await sees("212 tokens");
  expect(vi.mocked(props.streamAnswer).mock.calls[0]?.[0].model).toBe("Qwen/Qwen3-8B");
  await type("/save notes.md", "\r");
  await sees("Saved to notes.md");
  await type("/save", "\r");
  await sees("Saved to feather-chat.md");
  expect(vi.mocked(props.save).mock.calls.map(([path]) => path)).toEqual(["notes.md", null]);
  await type("/nope", "\r");
  await sees("There is no /nope");
});

test("Ctrl-D stops a streaming answer and leaves", async () => {
  let stopped = false;
  const { type, sees } = start({
    async *streamAnswer(_, signal) {
      yield { kind: "text", text: "Half" };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      stopped = true;
    },
  });
  await type("why?", "\r");
  await sees("Half");
  await type(CTRL_D);
  await waitFor(() => expect(stopped).toBe(true));
});

test("a prompt for a secret masks it while it is typed", async () => {
  const onAnswer = vi.fn<(text: string) => void>();
  const { stdin, lastFrame } = render(
    createElement(Prompt, { label: "Password", kind: "secret", unicode: true, onAnswer }),
  );
  await new Promise((resolve) => setTimeout(resolve, 15));
  stdin.write("hunter2");
  await waitFor(() => expect(lastFrame()).toContain("Password: •••••••"));
  stdin.write("\r");
  await waitFor(() => expect(onAnswer).toHaveBeenCalledWith("hunter2"));
});

test("a secret that is typed ahead is answered with its corrections", async () => {
  const onAnswer = vi.fn<(text: string) => void>();
  const { stdin } = render(createElement(Prompt, { label: "Password", kind: "secret", unicode: true, onAnswer }));
  await new Promise((resolve) => setTimeout(resolve, 15));
  stdin.write("hunter3\u007f2\rlate");
  await waitFor(() => expect(onAnswer).toHaveBeenCalledWith("hunter2"));
  expect(onAnswer).toHaveBeenCalledTimes(1);
});

test("/image sends a picture with the next prompt, to models that accept pictures", async () => {
  const { type, sees, props } = start();
  await type("/image bird.png", "\r");
  await sees("bird.png goes with the next prompt.");
  await type("which?", "\r");
  await waitFor(() => expect(props.streamAnswer).toHaveBeenCalledTimes(1));
  expect(vi.mocked(props.streamAnswer).mock.calls[0]?.[0].messages).toEqual([
    { role: "user", content: "which?", pictures: [{ name: "bird.png", url: "data:image/png;base64,x" }] },
  ]);
  await sees("212 tokens");
  await type("/model acme/blind", "\r");
  await sees("Talking to acme/blind");
  await type("/image bird.png", "\r");
  await sees("acme/blind takes no pictures. /model chooses another.");
});

test("a paste without brackets goes into the line as a whole, with its tabs", async () => {
  const { type, sees, props } = start();
  await sees("Qwen3-32B");
  await type("first\nsecond\n\tthird\nlast", "\r");
  await sees("Mostly trapped air.");
  expect(vi.mocked(props.streamAnswer).mock.calls[0]?.[0].messages).toEqual([
    { role: "user", content: "first\nsecond\n\tthird\nlast" },
  ]);
});

test("Alt-Enter starts a new line", async () => {
  const { type, sees, props } = start();
  await sees("Qwen3-32B");
  await type("why?", "\u001b\r", "how?", "\r");
  await sees("Mostly trapped air.");
  expect(vi.mocked(props.streamAnswer).mock.calls[0]?.[0].messages).toEqual([{ role: "user", content: "why?\nhow?" }]);
});

test("the draft returns after looking at earlier prompts", async () => {
  const { type, sees } = start({ history: ["earlier"] });
  await sees("Qwen3-32B");
  await type("half a thou", UP);
  await sees("› earlier");
  await type("\u001b[B");
  await sees("› half a thou");
});

test("Ctrl-R searches earlier prompts", async () => {
  const { type, sees } = start({ history: ["why feathers?", "why not?", "how?"] });
  await sees("Qwen3-32B");
  await type("\u0012", "w", "h", "y");
  await sees("› why not?");
  await type("\u0012");
  await sees("› why feathers?");
});

test("Tab completes a command of the conversation, and shows those that could be meant", async () => {
  const { type, sees, lastFrame } = start();
  await sees("Qwen3-32B");
  await type("/he", "\t");
  await waitFor(() => expect(lastFrame()).toMatch(/› \/help *$/));
  await type("\u0015", "/s", "\t");
  await sees("  save  system");
  await type("y");
  await waitFor(() => expect(lastFrame()).not.toContain("  save"));
  await type("\t");
  await sees("› /system");
});

test("keys that arrive together are handled one after the other", async () => {
  const { type, sees } = start({ history: ["why feathers?"] });
  await sees("Qwen3-32B");
  await type("hello world\u0017\u0001\u0019");
  await sees("› worldhello");
  await type("\u0015\u000b\u0012fea");
  await sees("› why feathers?");
  await sees("search: fea");
  await type("\u0003/fi\t");
  await sees("› /file");
});

test("keys that arrive in several parts at the same moment are all handled", async () => {
  const { sees, stdin } = start();
  await sees("Qwen3-32B");
  for (const part of ["ab", "\u0001", "c", "\u0005", "d"]) stdin.write(part);
  await sees("› cabd");
});

test("Tab completes file names after commands that take one, and nothing in prompts", async () => {
  const { type, sees, lastFrame } = start();
  await sees("Qwen3-32B");
  await type("/file n", "\t");
  await sees("› /file notes.");
  await sees("  notes.md  notes.txt");
  await type("m", "\t");
  await sees("› /file notes.md");
  expect(lastFrame()).not.toContain("notes.txt");
  await type("\u0015", "what is n", "\t", "!");
  await sees("› what is n!");
});

test("Ctrl-X Ctrl-E opens the prompt in the editor, and sends nothing", async () => {
  const { type, sees, props } = start();
  await sees("Qwen3-32B");
  await type("why", "\u0018", "\u0005");
  await sees("› why and more");
  expect(props.streamAnswer).not.toHaveBeenCalled();
});

test("the chat says why the editor could not be opened, and keeps the prompt", async () => {
  const { type, sees } = start({ editText: () => Promise.reject(new Error("vi ended with 127")) });
  await sees("Qwen3-32B");
  await type("why", "\u0018\u0005");
  await sees("vi ended with 127");
  await sees("› why");
});

test("Ctrl-Z stops the program, and draws what came meanwhile once it is continued", async () => {
  const continued = Promise.withResolvers<void>();
  const stopProcess = vi.fn<ChatProps["stopProcess"]>(() => continued.promise);
  const { release, streamAnswer } = held();
  const { type, sees, lastFrame } = start({ stopProcess, streamAnswer });
  await sees("Qwen3-32B");
  await type("why?", "\r");
  await sees("Birds are");
  await type("\u001a");
  await waitFor(() => expect(stopProcess).toHaveBeenCalledTimes(1));
  release();
  await waitFor(() => expect(lastFrame()).not.toContain("Birds are"));
  continued.resolve();
  await sees("Mostly trapped air.");
});

/** An answer that waits until it is released. */
function held() {
  const gate = Promise.withResolvers<void>();
  async function* streamAnswer(): AsyncGenerator<AnswerPiece> {
    yield { kind: "reasoning", text: "Birds are" };
    await gate.promise;
    yield { kind: "text", text: "Mostly trapped air." };
  }
  return { release: gate.resolve, streamAnswer: vi.fn<ChatProps["streamAnswer"]>(streamAnswer) };
}

test("the chat shows what the model thinks until it answers", async () => {
  const { release, streamAnswer } = held();
  const { type, sees, lastFrame } = start({ streamAnswer });
  await sees("Qwen3-32B");
  await type("why?", "\r");
  await sees("Birds are");
  release();
  await sees("Mostly trapped air.");
  expect(lastFrame()).not.toContain("Birds are");
});

test("a prompt that is typed while an answer is streamed is sent after it", async () => {
  const { release, streamAnswer } = held();
  const { type, sees } = start({ streamAnswer });
  await sees("Qwen3-32B");
  await type("why?", "\r");
  await sees("Birds are");
  await type("and then?", "\r");
  await sees("goes when the answer is complete");
  expect(streamAnswer).toHaveBeenCalledTimes(1);
  release();
  await waitFor(() => expect(streamAnswer).toHaveBeenCalledTimes(2));
  expect(streamAnswer.mock.calls[1]?.[0].messages.at(-1)).toEqual({ role: "user", content: "and then?" });
});
