import { describe, expect, test } from "vitest";
import { formatTranscript, parseTranscript } from "./transcript.ts";

const MODEL = "Qwen/Qwen3-32B";

test("a transcript is Markdown with a heading for each message", () => {
  const transcript = {
    model: MODEL,
    system: "Be brief.",
    messages: [
      { role: "user", content: "a", pictures: [{ name: "bird.png", url: "data:x" }] },
      { role: "assistant", content: "b" },
    ],
  } as const;
  expect(formatTranscript(transcript)).toBe(
    "# Conversation with Qwen/Qwen3-32B\n\n## Instructions\n\nBe brief.\n\n## You\n\na\n\nPicture: bird.png\n\n## Qwen/Qwen3-32B\n\nb\n",
  );
});

describe("a transcript is read as it was written", () => {
  test.each([
    ["a short exchange", ["hi", "Hello."]],
    ["headings and code of Markdown", ["## Steps\n\n```sh\n# x\n```\n\n- one", "# Title\n## A section\n\n\ntext"]],
    ["texts that look like headings of a transcript", ["## You", "before\n## Instructions\n\\## You\n## a/b\nafter"]],
    ["tabs and spaces within", ["\tindented? no\n\tyes", "a  b"]],
  ])("%s", (_, [question = "", answer = ""]) => {
    const messages = [
      { role: "user", content: question.trim() },
      { role: "assistant", content: answer },
    ] as const;
    for (const system of [undefined, "Be brief.\n## You"])
      expect(parseTranscript(formatTranscript({ model: MODEL, system, messages }))).toEqual({
        model: MODEL,
        system,
        messages,
      });
  });

  test("a transcript is read as it was written with the line ends of Windows", () => {
    const messages = [{ role: "user", content: "a\nb" }] as const;
    const text = formatTranscript({ model: MODEL, system: undefined, messages }).replaceAll("\n", "\r\n");
    expect(parseTranscript(text)?.messages).toEqual(messages);
  });
});

test.each(["", "# Notes\n\ntext", "# Conversation with Qwen/Qwen3-32B\n\nsome text\n\n## You\n\na\n"])(
  "%j is no transcript",
  (text) => {
    expect(parseTranscript(text)).toBeUndefined();
  },
);
