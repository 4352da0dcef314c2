import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { errors } from "../../platform/core/errors/index.ts";
import { toEstimatedUsage } from "../usage/reported-usage.ts";
import type { Answer, ChatMessage } from "./answers.ts";
import type { ChatDelta } from "./chunks.ts";
import type { Fields } from "./fields.ts";
import type { AnswerFormat } from "./format.ts";
import { createMessagesFormat } from "./messages/format.ts";
import { createResponsesFormat } from "./responses/format.ts";

const META = { id: "chatcmpl-1", created: 1, model: "a/b" };
const USAGE = toEstimatedUsage(7, 3);
const clock = { now: () => new Date(5_000) };

type Event = Fields & { type: string };

const messages = () => createMessagesFormat("req_1", () => 7);
const responses = (tools: readonly Fields[] = []) => createResponsesFormat({ tools }, "req_1", clock);

/** Returns the events of a streamed answer with these deltas. */
function stream(format: AnswerFormat, deltas: readonly ChatDelta[], reason = "stop"): Event[] {
  const writer = format.stream(META);
  const chunk = (delta: ChatDelta, finish_reason: string | null) =>
    writer.chunk({ ...META, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
  return parseEvents([...deltas.map((delta) => chunk(delta, null)), chunk({}, reason), writer.end(USAGE)].join(""));
}

function parseEvents(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => JSON.parse(event.slice(event.indexOf("data: ") + 6)) as Event);
}

/** Returns the answer as a caller gets it without a stream. */
function buffer(format: AnswerFormat, message: Partial<ChatMessage>, reason = "stop"): Fields {
  const choices = [{ index: 0, finish_reason: reason, message: { role: "assistant", content: null, ...message } }];
  const answer: Answer = { ...META, object: "chat.completion", choices, usage: {} };
  return JSON.parse(JSON.stringify(format.buffered(answer, USAGE))) as Fields;
}

/** Assembles a message from its events, as Anthropic's clients do. */
function assembleMessage(events: readonly Event[]): Fields {
  const blocks: { type: string; text: string; isOpen: boolean; start: Fields }[] = [];
  let end: Fields = {};
  for (const event of events) {
    const block = blocks[Number(event.index)];
    if (event.type === "content_block_start") {
      expect(blocks.every(({ isOpen }) => !isOpen)).toBe(true);
      expect(event.index).toBe(blocks.length);
      const start = event.content_block as Fields;
      blocks.push({ type: String(start.type), text: "", isOpen: true, start });
    } else if (event.type === "content_block_delta") {
      expect(block?.isOpen).toBe(true);
      const { text, thinking, partial_json } = event.delta as Record<string, string | undefined>;
      if (block) block.text += text ?? thinking ?? partial_json ?? "";
    } else if (event.type === "content_block_stop") {
      expect(block?.isOpen).toBe(true);
      if (block) block.isOpen = false;
    } else if (event.type === "message_delta") end = event.delta as Fields;
  }
  expect(blocks.every(({ isOpen }) => !isOpen)).toBe(true);
  const content = blocks.map(({ type, text, start }) => {
    if (type === "tool_use") return { ...start, input: JSON.parse(text || "{}") as unknown };
    return type === "text" ? { type, text } : { type, thinking: text, signature: "" };
  });
  return { content, ...end };
}

/** Returns the content of a message, whatever the order of its blocks. */
function normalizeMessage({ content, stop_reason, stop_sequence }: Fields): object {
  const blocks = content as Fields[];
  const join = (type: string, field: string) =>
    blocks
      .filter((block) => block.type === type)
      .map((block) => block[field])
      .join("");
  const calls = blocks.filter(({ type }) => type === "tool_use");
  const text = join("text", "text");
  return {
    thinking: join("thinking", "thinking"),
    text: calls.length > 0 ? text.trimEnd() : text,
    calls,
    stop_reason,
    stop_sequence,
  };
}

/** Assembles a response from its events, and checks that they agree with the response in the last event. */
function assembleResponse(events: readonly Event[]): Fields {
  const texts = new Map<string, string>();
  const done = new Map<number, Fields>();
  for (const [at, event] of events.entries()) {
    expect(event.sequence_number).toBe(at);
    const place = `${event.item_id} ${event.content_index ?? event.summary_index ?? ""}`;
    if (event.type.endsWith(".delta")) texts.set(place, (texts.get(place) ?? "") + String(event.delta));
    const whole = event.text ?? event.refusal ?? event.arguments ?? event.input;
    if (/(?:text|refusal|arguments|input)\.done$/.test(event.type)) expect(texts.get(place) ?? "").toBe(whole);
    if (event.type === "response.output_item.done") done.set(Number(event.output_index), event.item as Fields);
  }
  const { response } = events.at(-1) as { response?: Fields };
  const items = [...done].sort(([one], [other]) => one - other).map(([, item]) => item);
  expect(items).toEqual(response?.output);
  return response ?? {};
}

/** Returns the content of a response, whatever the order of its items. */
function normalizeResponse({ output, status }: Fields): object {
  const items = output as Fields[];
  const parts = items.flatMap((item) => (item.type === "message" ? (item.content as Fields[]) : []));
  const reasoning = items.flatMap((item) => (item.type === "reasoning" ? (item.summary as Fields[]) : []));
  const calls = items.filter(({ type }) => String(type).endsWith("_call")).map(({ id: _, ...call }) => call);
  const text = parts.map((part) => part.text ?? "").join("");
  return {
    reasoning: reasoning.map((part) => part.text).join(""),
    text: calls.length > 0 ? text.trimEnd() : text,
    refusal: parts.map((part) => part.refusal ?? "").join(""),
    calls,
    status,
  };
}

/** Returns the delta that starts a tool call. */
const begin = (index: number, text = "", name = `f${index}`): ChatDelta => ({
  tool_calls: [{ index, id: `c${index}`, type: "function", function: { name, arguments: text } }],
});
const more = (index: number, text: string): ChatDelta => ({ tool_calls: [{ index, function: { arguments: text } }] });
const toolUse = (index: number, input: object) => ({ type: "tool_use", id: `c${index}`, name: `f${index}`, input });

describe("parts of a call with something between them", () => {
  const CASES: [string, ChatDelta[], object[]][] = [
    ["white space", [begin(0, '{"a":'), { content: "\n" }, more(0, "1}")], [toolUse(0, { a: 1 })]],
    [
      "reasoning",
      [begin(0, '{"a":'), { reasoning_content: "hm" }, more(0, "1}")],
      [toolUse(0, { a: 1 }), { type: "thinking", thinking: "hm", signature: "" }],
    ],
    [
      "text",
      [begin(0, '{"a":'), { content: "So" }, more(0, "1}"), { content: " be it" }],
      [toolUse(0, { a: 1 }), { type: "text", text: "So be it" }],
    ],
    [
      "the name of another call",
      [begin(0), begin(1), more(0, '{"a":1}'), more(1, '{"b":2}')],
      [toolUse(0, { a: 1 }), toolUse(1, { b: 2 })],
    ],
    [
      "parts of other calls",
      [begin(0, '{"a"'), begin(1, '{"b"'), more(0, ":1"), more(1, ":2}"), begin(2, "{}"), more(0, "}")],
      [toolUse(0, { a: 1 }), toolUse(1, { b: 2 }), toolUse(2, {})],
    ],
  ];

  test.each(CASES)(
    "parts of a call with something between them are kept as one block of Messages: %s",
    (_what, deltas, content) => {
      expect(assembleMessage(stream(messages(), deltas, "tool_calls"))).toMatchObject({
        content,
        stop_reason: "tool_use",
      });
    },
  );

  test.each(CASES)(
    "parts of a call with something between them are kept as one item of Responses: %s",
    (_what, deltas, content) => {
      const { output } = assembleResponse(stream(responses(), deltas, "tool_calls"));
      const calls = (output as Fields[]).filter(({ type }) => type === "function_call");
      const inputs = calls.map((call) => ({ id: call.call_id, input: JSON.parse(String(call.arguments)) as unknown }));
      const expected = content.filter((block) => "input" in block).map(({ id, input }: Fields) => ({ id, input }));
      expect(inputs).toEqual(expected);
    },
  );

  test("parts of a call with something between them are sent as they come while nothing is between them", () => {
    const deltas = [begin(0, ""), more(0, '{"a":'), more(0, "1}")];
    const pieces = (events: Event[], type: string) => events.filter((event) => event.type === type).length;
    expect(pieces(stream(messages(), deltas), "content_block_delta")).toBe(2);
    expect(pieces(stream(responses(), deltas), "response.function_call_arguments.delta")).toBe(2);
  });

  test("parts that come after a call was complete end the answer with an error", () => {
    const late = [begin(0, "{}"), { content: "So" }, more(0, "{}")];
    expect(() => stream(messages(), late)).toThrow("went on with the arguments");
  });

  test("parts of a call that was never begun end the answer with an error", () => {
    expect(() => stream(messages(), [more(0, "{}")])).toThrow("without a name");
    expect(() => stream(responses(), [more(0, "{}")])).toThrow("without a name");
  });

  test("parts of a call with something between them are incomplete in a response that failed", () => {
    const writer = responses().stream(META);
    const choices = [{ index: 0, delta: begin(0, '{"a":'), finish_reason: null }];
    writer.chunk({ ...META, object: "chat.completion.chunk", choices });
    const [last] = parseEvents(writer.error(errors.upstreamError("gone"))).slice(-1);
    expect(last).toMatchObject({
      response: { status: "failed", output: [{ arguments: '{"a":', status: "incomplete" }] },
    });
  });
});

describe("a refusal", () => {
  test("a refusal is the text and the stop reason of a message", () => {
    const expected = { content: [{ type: "text", text: "I can't" }], stop_reason: "refusal" };
    expect(buffer(messages(), { refusal: "I can't" })).toMatchObject(expected);
    expect(assembleMessage(stream(messages(), [{ refusal: "I " }, { refusal: "can't" }]))).toMatchObject(expected);
  });

  test("a refusal is a part of a response with events of its own", () => {
    const content = [{ type: "refusal", refusal: "I can't" }];
    expect(buffer(responses(), { refusal: "I can't" }).output).toMatchObject([{ type: "message", content }]);
    const events = stream(responses(), [{ refusal: "I " }, { refusal: "can't" }]);
    expect(assembleResponse(events).output).toMatchObject([{ type: "message", content }]);
    expect(events.filter(({ type }) => type.startsWith("response.refusal")).map(({ type }) => type)).toEqual([
      "response.refusal.delta",
      "response.refusal.delta",
      "response.refusal.done",
    ]);
  });
});

describe("the input of a call", () => {
  test.each<[string, string, object]>([
    ["null", "null", {}],
    ["blank", " ", {}],
    ["a list", "[1]", { arguments: "[1]" }],
    ["no JSON", "city: Oslo", { arguments: "city: Oslo" }],
  ])("the input of a call is an object in Messages where the model wrote %s", (_what, text, input) => {
    const tool_calls = [{ id: "c0", type: "function" as const, function: { name: "f0", arguments: text } }];
    expect(buffer(messages(), { tool_calls })).toMatchObject({ content: [{ input }] });
    expect(assembleMessage(stream(messages(), [begin(0, text)]))).toMatchObject({ content: [{ input }] });
  });

  test("the input of a call is an empty object in Responses where the model wrote none", () => {
    const tool_calls = [{ id: "c0", type: "function" as const, function: { name: "f0", arguments: "" } }];
    expect(buffer(responses(), { tool_calls }).output).toMatchObject([{ arguments: "{}" }]);
    expect(assembleResponse(stream(responses(), [begin(0)])).output).toMatchObject([{ arguments: "{}" }]);
  });
});

describe("a call of a custom tool", () => {
  const tools = [{ type: "custom", name: "apply_patch" }];
  const item = { type: "custom_tool_call", call_id: "c0", name: "apply_patch", input: "*** Begin\n" };
  const text = JSON.stringify({ input: item.input });

  test("a call of a custom tool comes back as its text in a response", () => {
    const tool_calls = [{ id: "c0", type: "function" as const, function: { name: "apply_patch", arguments: text } }];
    expect(buffer(responses(tools), { tool_calls }, "tool_calls").output).toMatchObject([item]);
  });

  test("a call of a custom tool comes back as its text in a stream, with events of its own", () => {
    const events = stream(responses(tools), [begin(0, "", "apply_patch"), more(0, text)], "tool_calls");
    expect(assembleResponse(events).output).toMatchObject([item]);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["response.custom_tool_call_input.delta", "response.custom_tool_call_input.done"]),
    );
  });
});

test("a response tells when it was completed, and its tokens with those written to a cache", () => {
  const whole = buffer(responses(), { content: "Hi" });
  const streamed = assembleResponse(stream(responses(), [{ content: "Hi" }]));
  for (const response of [whole, streamed])
    expect(response).toMatchObject({
      created_at: 1,
      completed_at: 5,
      usage: { input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 } },
    });
});

test("a response names only the tools that the model was offered", () => {
  const tools = [{ type: "function", name: "f" }, { type: "web_search" }];
  expect(buffer(responses(tools), { content: "Hi" }).tools).toEqual([tools[0]]);
});

type TextKind = "content" | "reasoning_content" | "refusal";
type Piece = { kind: TextKind; text: string } | { kind: "call"; index: number; text: string };

const json = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
const said = fc.constantFrom("", "\n", " ", "a", "b\n", "word ", "{}", "😀");
const answers = fc.record({
  calls: fc.array(
    json.map((value) => JSON.stringify(value)),
    { maxLength: 3 },
  ),
  /** Whether the model answers or refuses. */
  speaks: fc.constantFrom("content" as const, "refusal" as const),
  texts: fc.array(fc.record({ isReasoning: fc.boolean(), text: said }), { maxLength: 8 }),
  cuts: fc.infiniteStream(fc.nat({ max: 12 })),
  picks: fc.infiniteStream(fc.nat({ max: 1000 })),
});
type RandomAnswer = typeof answers extends fc.Arbitrary<infer Value> ? Value : never;

/** Cuts a text at random positions. The parts keep their order. */
function cut(text: string, cuts: Iterator<number>): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + 1 + Number(cuts.next().value);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** Returns the pieces of an answer in a random order. The pieces of a call keep their order, and so do those of the texts. */
function shuffle({ calls, speaks, texts, cuts, picks }: RandomAnswer): Piece[] {
  const queues: Piece[][] = calls.map((text, index) =>
    ["", ...cut(text, cuts)].map((part) => ({ kind: "call" as const, index, text: part })),
  );
  queues.push(
    texts.map(({ isReasoning, text }) => ({ kind: isReasoning ? ("reasoning_content" as const) : speaks, text })),
  );
  const pieces: Piece[] = [];
  for (
    let open = queues.filter(({ length }) => length > 0);
    open.length > 0;
    open = queues.filter(({ length }) => length > 0)
  ) {
    const piece = open[Number(picks.next().value) % open.length]?.shift();
    if (piece !== undefined) pieces.push(piece);
  }
  return pieces;
}

/** Returns the deltas that a reader makes of the pieces, and the message that it makes of the complete answer. */
function read(pieces: readonly Piece[]): { deltas: ChatDelta[]; message: Partial<ChatMessage>; reason: string } {
  const calls = new Map<number, { index: number; text: string }>();
  const texts = { content: "", reasoning_content: "", refusal: "" };
  const deltas = pieces.map((piece): ChatDelta => {
    if (piece.kind !== "call") {
      texts[piece.kind] += piece.text;
      return { [piece.kind]: piece.text };
    }
    const known = calls.get(piece.index);
    if (known === undefined) {
      const index = calls.size;
      calls.set(piece.index, { index, text: piece.text });
      return begin(index, piece.text, `f${piece.index}`);
    }
    known.text += piece.text;
    return more(known.index, piece.text);
  });
  const tool_calls = [...calls].map(([name, { index, text }]) => ({
    id: `c${index}`,
    type: "function" as const,
    function: { name: `f${name}`, arguments: text },
  }));
  const reason = tool_calls.length > 0 ? "tool_calls" : "stop";
  return { deltas, message: { ...texts, ...(tool_calls.length > 0 && { tool_calls }) }, reason };
}

describe("a streamed answer put together says the same as the whole one, however it was cut", () => {
  const formats: [string, AnswerFormat, (events: Event[]) => object, (answer: Fields) => object][] = [
    ["Messages", messages(), (events) => normalizeMessage(assembleMessage(events)), normalizeMessage],
    [
      "Responses",
      responses([{ type: "custom", name: "f1" }]),
      (events) => normalizeResponse(assembleResponse(events)),
      normalizeResponse,
    ],
  ];

  test.each(formats)(
    "a streamed answer put together says the same as the whole one, however it was cut in %s",
    (_name, format, assemble, normalize) => {
      fc.assert(
        fc.property(answers, (answer) => {
          const { deltas, message, reason } = read(shuffle(answer));
          expect(assemble(stream(format, deltas, reason))).toEqual(normalize(buffer(format, message, reason)));
        }),
        { numRuns: 300 },
      );
    },
  );
});
