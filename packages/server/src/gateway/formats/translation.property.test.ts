import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { AppError } from "../../platform/core/errors/index.ts";
import { withoutCarried } from "../apis/openai/without-carried.ts";
import { readChatRequest } from "./chat/request.ts";
import { rebuildMessages } from "./chat-messages.ts";
import { arrangeMessages } from "./conversation.ts";
import type { Fields } from "./fields.ts";
import { messagesToChat } from "./messages/request.ts";
import type { CallBody, Carried } from "./parsed-request.ts";
import { responsesToChat } from "./responses/request.ts";

type Read = { body: Fields; ignored: readonly string[]; carried?: Carried | undefined };

const readChat = (body: Fields): Read => readChatRequest(body as CallBody, "req_1");
const readMessages = (body: Fields): Read => messagesToChat({ ...body, model: "a/b" });
const readResponses = (body: Fields): Read => responsesToChat({ ...body, model: "a/b" });

/** Returns a request as backends with OpenAI's API get it, and all fields that are listed as ignored. */
function prepare({ body, ignored, carried }: Read): { body: Fields; ignored: string[] } {
  const rebuilt = rebuildMessages(body.messages as unknown[], "https");
  const { messages, dropped } = arrangeMessages(rebuilt.messages);
  const { paths } = carried ?? { paths: rebuilt.carried };
  const sent = withoutCarried({ ...body, messages }, carried ?? { paths });
  return { body: sent, ignored: [...ignored, ...paths, ...rebuilt.dropped, ...dropped] };
}

const words = fc.constantFrom("a", "Hello there", "line\nbreak", " x ", "😀", '{"a":1}');
const args = fc
  .dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 })
  .map((value) => JSON.stringify(value));
const userTurn = words.map((content): Fields[] => [{ role: "user", content }]);
const systemTurn = words.map((content): Fields[] => [{ role: "system", content }]);
const assistantTurn = fc
  .record({
    content: fc.option(words),
    reasoning: fc.option(words),
    calls: fc.array(args, { maxLength: 2 }),
    results: words,
  })
  .filter(({ content, calls }) => content !== null || calls.length > 0);

/** A conversation in the chat format: messages in any order, and system messages at any position. */
const conversations = fc
  .array(fc.oneof(userTurn, systemTurn, assistantTurn), { minLength: 1, maxLength: 8 })
  .map((turns) => turns.flatMap((turn, at) => (Array.isArray(turn) ? turn : toTurnWithResults(turn, at))));

function toTurnWithResults(
  {
    content,
    reasoning,
    calls,
    results,
  }: { content: string | null; reasoning: string | null; calls: string[]; results: string },
  at: number,
): Fields[] {
  const tool_calls = calls.map((text, index) => ({
    id: `c${at}-${index}`,
    type: "function",
    function: { name: "f", arguments: text },
  }));
  const turn: Fields = {
    role: "assistant",
    content,
    ...(reasoning !== null && { reasoning_content: reasoning }),
    ...(tool_calls.length > 0 && { tool_calls }),
  };
  return [turn, ...tool_calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: results }))];
}

type Call = { id: string; function: { name: string; arguments: string } };

/** Returns the conversation in the Messages format, where results of calls begin the user's message. */
function toMessages(chat: readonly Fields[]): Fields {
  const messages: { role: unknown; content: Fields[] }[] = [];
  for (const { role, content, reasoning_content, tool_calls, tool_call_id } of chat) {
    const text = content === null ? [] : [{ type: "text", text: content }];
    const thinking =
      reasoning_content === undefined ? [] : [{ type: "thinking", thinking: reasoning_content, signature: "" }];
    const uses = ((tool_calls ?? []) as Call[]).map((call) => ({
      type: "tool_use",
      id: call.id,
      name: call.function.name,
      input: JSON.parse(call.function.arguments) as unknown,
    }));
    const last = messages.at(-1);
    if (role !== "tool") messages.push({ role, content: [...thinking, ...text, ...uses] });
    else {
      const result = { type: "tool_result", tool_use_id: tool_call_id, content };
      if (last?.role === "user" && last.content.some(({ type }) => type === "tool_result")) last.content.push(result);
      else messages.push({ role: "user", content: [result] });
    }
  }
  return { max_tokens: 9, messages };
}

/** Returns the conversation in the Responses format, with an item for each text, call and result. */
function toInput(chat: readonly Fields[]): Fields {
  const input = chat.flatMap(({ role, content, reasoning_content, tool_calls, tool_call_id }): Fields[] => {
    if (role === "tool") return [{ type: "function_call_output", call_id: tool_call_id, output: content }];
    const reasoning =
      reasoning_content === undefined
        ? []
        : [{ type: "reasoning", summary: [{ type: "summary_text", text: reasoning_content }] }];
    const message = content === null ? [] : [{ type: "message", role, content }];
    const calls = ((tool_calls ?? []) as Call[]).map((call) => ({
      type: "function_call",
      call_id: call.id,
      ...call.function,
    }));
    return [...reasoning, ...message, ...calls];
  });
  return { input };
}

/** Returns whether no two assistant messages are in a row, which Responses cannot tell apart. */
const isToldApart = (chat: readonly Fields[]) =>
  chat.every(({ role }, at) => role !== "assistant" || chat[at + 1]?.role !== "assistant");

describe("a conversation", () => {
  test("a conversation reaches backends from Messages as it does from chat completions", () => {
    fc.assert(
      fc.property(conversations, (chat) => {
        const { body, ignored } = prepare(readMessages(toMessages(chat)));
        expect(body.messages).toEqual(prepare(readChat({ messages: chat })).body.messages);
        expect(ignored).toEqual([]);
      }),
    );
  });

  test("a conversation reaches backends from Responses as it does from chat completions", () => {
    fc.assert(
      fc.property(conversations.filter(isToldApart), (chat) => {
        const { body, ignored } = prepare(readResponses(toInput(chat)));
        expect(body.messages).toEqual(prepare(readChat({ messages: chat })).body.messages);
        expect(ignored).toEqual([]);
      }),
    );
  });

  test("a conversation in the gateway's form has one system message at most, at the start, and results behind their calls", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(["s", "u", "a", "t", "s", "u", "a", "t"], { minLength: 1 }), (order) => {
        const chat = order.map((kind): Fields => {
          if (kind === "s") return { role: "system", content: "S" };
          if (kind === "u") return { role: "user", content: "U" };
          if (kind === "t") return { role: "tool", tool_call_id: "c", content: "T" };
          return {
            role: "assistant",
            content: "A",
            tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
          };
        });
        const { messages } = arrangeMessages(chat);
        expect(messages.findLastIndex(({ role }) => role === "system")).toBeLessThan(1);
        const letters = (list: readonly Fields[]) =>
          list
            .map(({ content }) => content)
            .join("")
            .replaceAll("\n", "");
        expect([...letters(messages)].sort()).toEqual([...letters(chat)].sort());
        expect(arrangeMessages(messages).messages).toEqual(messages);
      }),
    );
  });
});

const PNG = { type: "base64", media_type: "image/png", data: "iVBOR" };
const REQUESTS: [string, (body: Fields) => Read, Fields][] = [
  [
    "chat completions",
    readChat,
    {
      model: "a/b",
      tools: [{ type: "function", function: { name: "f", description: "does", parameters: { type: "object" } } }],
      tool_choice: { type: "function", function: { name: "f" } },
      response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" } } },
      messages: [
        {
          role: "user",
          name: "maria",
          content: [
            { type: "text", text: "one" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBOR", detail: "low" } },
          ],
        },
        {
          role: "assistant",
          content: "two",
          reasoning_content: "three",
          tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c", content: "four" },
      ],
    },
  ],
  [
    "Messages",
    readMessages,
    {
      system: [{ type: "text", text: "one" }],
      tools: [{ name: "f", description: "does", input_schema: { type: "object" } }],
      tool_choice: { type: "tool", name: "f" },
      thinking: { type: "enabled" },
      output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
      metadata: { user_id: "u" },
      stop_sequences: ["END"],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "two" },
            { type: "image", source: PNG },
            { type: "document", title: "t.png", source: PNG },
          ],
        },
        {
          role: "user",
          content: [
            { type: "search_result", title: "three", source: "four", content: [{ type: "text", text: "five" }] },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "six", signature: "" },
            { type: "text", text: "seven" },
            { type: "tool_use", id: "c", name: "f", input: { a: "eight" } },
          ],
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: "nine" }] }],
        },
      ],
    },
  ],
  [
    "Responses",
    readResponses,
    {
      instructions: "one",
      user: "u",
      reasoning: { effort: "low" },
      text: { format: { type: "json_schema", name: "n", schema: { type: "object" } } },
      tools: [
        { type: "function", name: "f", description: "does", parameters: { type: "object" } },
        {
          type: "custom",
          name: "g",
          description: "too",
          format: { type: "grammar", syntax: "lark", definition: "start: x" },
        },
      ],
      tool_choice: { type: "function", name: "f" },
      input: [
        {
          type: "message",
          role: "user",
          content: [
            { type: "input_text", text: "two" },
            { type: "input_image", image_url: "data:image/png;base64,iVBOR", detail: "low" },
          ],
        },
        { type: "reasoning", summary: [{ type: "summary_text", text: "three" }] },
        { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
        { type: "custom_tool_call", call_id: "d", name: "g", input: "four" },
        { type: "function_call_output", call_id: "c", output: "five" },
        { type: "custom_tool_call_output", call_id: "d", output: [{ type: "input_text", text: "six" }] },
        { role: "assistant", content: [{ type: "output_text", text: "seven" }] },
      ],
    },
  ],
];

/** Returns the paths of the objects and texts of a request, by which the test replaces them. */
function listParts(value: unknown, isKind: (part: unknown) => boolean, path: string[] = []): string[][] {
  const here = isKind(value) ? [path] : [];
  if (typeof value !== "object" || value === null) return here;
  return [...here, ...Object.entries(value).flatMap(([name, part]) => listParts(part, isKind, [...path, name]))];
}

function replaceAt(value: unknown, path: readonly string[], replace: (part: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replace(value);
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as Fields) };
  const record = copy as Record<string, unknown>;
  record[name] = replaceAt(record[name], rest, replace);
  return copy;
}

const isObject = (part: unknown) => typeof part === "object" && part !== null && !Array.isArray(part);
const isText = (part: unknown) => typeof part === "string";
const MARK = "marked";

/**
 * Returns what happens to a part with the mark: it is passed on, the request is refused, or the part is listed as ignored.
 */
function follow(read: (body: Fields) => Read, body: Fields): "passed on" | "refused" | "named" | "lost" {
  try {
    const { body: sent, ignored } = prepare(read(body));
    if (JSON.stringify(sent).includes(MARK)) return "passed on";
    return ignored.length > 0 ? "named" : "lost";
  } catch (error) {
    if (error instanceof AppError) return "refused";
    throw error;
  }
}

describe.each(REQUESTS)("a request to %s", (_name, read, request) => {
  const findLost = (paths: readonly string[][], replace: (part: unknown) => unknown) =>
    paths
      .filter((path) => follow(read, replaceAt(request, path, replace) as Fields) === "lost")
      .map((path) => path.join("."));

  test("a complete request has no ignored fields", () => {
    expect(prepare(read(request)).ignored).toEqual([]);
  });

  test("every field that is added to a request is passed on, refused or reported as ignored", () => {
    const addMark = (part: unknown) => ({ ...(part as Fields), [MARK]: MARK });
    expect(findLost(listParts(request, isObject), addMark)).toEqual([]);
  });

  test("every text that is changed in a request is passed on, refused or reported as ignored", () => {
    // Roles and types are values that the contract and the readers validate.
    const texts = listParts(request, isText).filter((path) => !/(?:^|\.)(?:role|type)$/.test(path.join(".")));
    expect(findLost(texts, () => MARK)).toEqual([]);
  });
});
