import { formatEvent, parseEvents } from "@feather/testing/chat-events";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer();
  open = await server.signUpOnPlan({});
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const DONE = "data: [DONE]\n\n";
const chunk = (delta: object | null, finish_reason: string | null = null) =>
  formatEvent({ choices: [{ index: 0, delta, finish_reason }] });
const text = (content: unknown) => chunk({ content });
const calls = (...tool_calls: object[]) => chunk({ tool_calls });
const part = (name: string | null, args: unknown, more: object = {}) => ({
  ...more,
  function: { ...(name !== null && { name }), arguments: args },
});

type Call = { id: string; function: { name: string; arguments: string } };
type Message = { content: string; reasoning_content: string; refusal: string; tool_calls: Call[]; reasons: string[] };

/** Assembles the first choice of a stream, as clients do. */
function readMessage(stream: string): Message {
  const message: Message = { content: "", reasoning_content: "", refusal: "", tool_calls: [], reasons: [] };
  for (const data of parseEvents(stream).filter((event) => event !== "[DONE]")) {
    const { choices = [] } = JSON.parse(data) as {
      choices?: { delta: Record<string, unknown>; finish_reason: string | null }[];
    };
    for (const { delta, finish_reason } of choices) {
      expect(message.reasons, "nothing follows the end").toEqual([]);
      for (const name of ["content", "reasoning_content", "refusal"] as const)
        if (name in delta) message[name] += typeof delta[name] === "string" ? delta[name] : "[no text]";
      for (const added of (delta.tool_calls ?? []) as (Call & { index: number })[]) addCall(message.tool_calls, added);
      if (finish_reason !== null) message.reasons.push(finish_reason);
    }
  }
  return message;
}

function addCall(known: Call[], { index, id, function: added }: Call & { index: number }): void {
  const call = known[index];
  if (call) call.function.arguments += added.arguments;
  else known[index] = { id, function: { ...added } };
}

async function send(body: string, more: object = { stream: true }, contentType = "text/event-stream") {
  await server.addUpstream({ rawAnswer: { body, contentType } });
  const request = createChatRequest(more);
  const answer = await server.call("/v1/chat/completions", { token: open.token, body: request });
  return { ...answer, id: answer.headers.get("request-id") };
}

async function read(...events: string[]): Promise<Message> {
  const answer = await send(events.join(""));
  expect([answer.status, parseEvents(answer.text).at(-1)], answer.text).toEqual([200, "[DONE]"]);
  return readMessage(answer.text);
}

const listCalls = ({ tool_calls }: Message) =>
  tool_calls.map(({ function: { name, arguments: args } }) => [name, args]);

describe("tool calls in a backend's stream", () => {
  const X = '{"c":"X"}';
  const Y = '{"c":"Y"}';
  const call0 = (name: string | null, args: unknown, id?: string) => part(name, args, { index: 0, ...(id && { id }) });
  test.each<[string, string[], [string, string][]]>([
    [
      "without index and with blank ids, one with each chunk",
      [calls(part("f", X, { id: "" })), calls(part("f", Y, { id: "" }))],
      [
        ["f", X],
        ["f", Y],
      ],
    ],
    [
      "without ids, all with the index 0",
      [calls(call0("f", X)), calls(call0("g", Y))],
      [
        ["f", X],
        ["g", Y],
      ],
    ],
    [
      "without ids, in one chunk",
      [calls(part("f", X), part("f", Y))],
      [
        ["f", X],
        ["f", Y],
      ],
    ],
    [
      "whose name is repeated before the arguments are complete",
      [calls(call0("f", '{"c":')), calls(call0("f", '"X"}'))],
      [["f", X]],
    ],
    [
      "whose id changes with each part",
      [calls(call0("f", "", "a1")), calls(call0(null, '{"c":', "a9")), calls(call0(null, '"X"}', "a8"))],
      [["f", X]],
    ],
    [
      "that only their ids tell apart",
      [
        calls(part("f", "", { id: "a" }), part("g", "", { id: "b" })),
        calls(part(null, X, { id: "a" })),
        calls(part(null, Y, { id: "b" })),
      ],
      [
        ["f", X],
        ["g", Y],
      ],
    ],
    [
      "whose parts are interleaved with each other, text and reasoning",
      [
        calls(part("f", "", { index: 0, id: "a" }), part("g", "", { index: 1, id: "b" })),
        calls(part(null, '{"c":', { index: 1 })),
        calls(part(null, '{"c":', { index: 0 })),
        chunk({ content: "\n", reasoning_content: "hm" }),
        calls(part(null, '"X"}', { index: 0 }), part(null, '"Y"}', { index: 1 })),
      ],
      [
        ["f", X],
        ["g", Y],
      ],
    ],
    [
      "of the same id, told apart by their indexes",
      [calls(part("f", X, { index: 0, id: "a" }), part("f", Y, { index: 1, id: "a" }))],
      [
        ["f", X],
        ["f", Y],
      ],
    ],
    ["that are sent whole a second time", [calls(call0("f", X, "a")), calls(call0("f", X, "a"))], [["f", X]]],
    [
      "whose index is a text",
      [calls(part("f", X, { index: "0" })), calls(part("g", Y, { index: "1" }))],
      [
        ["f", X],
        ["g", Y],
      ],
    ],
    [
      "without arguments",
      [calls(call0("f", "")), calls(part("g", " ", { index: 1 })), calls(part("h", null, { index: 2 }))],
      [
        ["f", "{}"],
        ["g", " {}"],
        ["h", "{}"],
      ],
    ],
    ["with arguments that are an object", [calls(call0("f", { c: "X" }))], [["f", X]]],
    [
      "of old backends, which have one",
      [chunk({ function_call: { name: "f", arguments: "" } }), chunk({ function_call: { arguments: X } })],
      [["f", X]],
    ],
    [
      "beside null in other chunks",
      [
        chunk({ role: "assistant", content: null, tool_calls: null }),
        calls(call0("f", X)),
        chunk({ tool_calls: null }),
      ],
      [["f", X]],
    ],
  ])(
    "tool calls in a backend's stream %s are all kept, each with its own id and arguments",
    async (_what, events, expected) => {
      const message = await read(...events, chunk({}, "tool_calls"), DONE);
      expect(listCalls(message)).toEqual(expected);
      expect(new Set(message.tool_calls.map(({ id }) => id)).size).toBe(expected.length);
      expect(message.reasons).toEqual(["tool_calls"]);
    },
  );

  test.each(["stop", "eos", "end_turn", "function_call"])(
    "tool calls in a backend's stream end with tool_calls where the backend says %s",
    async (reason) => {
      expect((await read(calls(part("f", X)), chunk({}, reason), DONE)).reasons).toEqual(["tool_calls"]);
    },
  );

  test.each(["length", "content_filter"])(
    "tool calls in a backend's stream keep %s as the reason of an answer that was cut",
    async (reason) => {
      expect((await read(calls(part("f", '{"c')), chunk({}, reason), DONE)).reasons).toEqual([reason]);
    },
  );

  test.each([
    [
      "arguments of a call that was never named",
      [calls(part("f", "")), calls(part(null, X, { index: 1 })), chunk({}, "tool_calls")],
    ],
    ["cut arguments and no reason", [calls(part("f", '{"c":'))]],
  ])("tool calls in a backend's stream with %s end in an error", async (_what, events) => {
    const answer = await send([...events, DONE].join(""));
    expect(parseEvents(answer.text)).not.toContain("[DONE]");
    expect(errorOf(JSON.parse(parseEvents(answer.text).at(-1) ?? "")).code).toBe("upstream_error");
  });
});

describe("texts in a backend's stream", () => {
  test.each<[string, string[], Partial<Message>]>([
    [
      "null",
      [
        chunk({ role: "assistant", content: null, reasoning_content: null, refusal: null, tool_calls: null }),
        text("Hi"),
      ],
      { content: "Hi", reasoning_content: "", refusal: "" },
    ],
    [
      "lists of parts",
      [
        text([{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }]),
        text([
          { type: "text", text: "Hel" },
          { type: "reference", reference_ids: [1] },
        ]),
        text("lo"),
      ],
      { content: "Hello", reasoning_content: "hm" },
    ],
    ["a single part", [text({ type: "text", text: "Hi" })], { content: "Hi" }],
    ["refusals", [chunk({ refusal: "I can't" })], { content: "", refusal: "I can't" }],
    ["parts that are refusals", [text([{ type: "refusal", refusal: "I can't" }])], { content: "", refusal: "I can't" }],
    ["values of other types", [text(7), text(true), text("Hi")], { content: "Hi" }],
    [
      "a message in place of a delta",
      [formatEvent({ choices: [{ message: { role: "assistant", content: "Hi" } }] })],
      { content: "Hi" },
    ],
    ["deltas that are null", [chunk(null), text("Hi")], { content: "Hi" }],
  ])("texts in a backend's stream that are %s reach the caller as texts", async (_what, events, expected) => {
    expect(await read(...events, chunk({}, "stop"), DONE)).toMatchObject(expected);
  });
});

describe("the end of a backend's stream", () => {
  test.each<[string, string[], string]>([
    ["in a chunk with text", [text("Hel"), chunk({ content: "lo" }, "stop"), DONE], "stop"],
    ["in each chunk", [chunk({ content: "Hel" }, "stop"), chunk({ content: "lo" }, "stop"), DONE], "stop"],
    ["twice", [text("Hello"), chunk({}, "length"), chunk({}, "stop"), DONE], "length"],
    ["as the word null before it", [chunk({ content: "Hello" }, "null"), chunk({}, "stop"), DONE], "stop"],
    ["in capitals", [text("Hello"), chunk({}, "MAX_TOKENS"), DONE], "length"],
    ["by [DONE] alone", [text("Hello"), DONE], "stop"],
    ["by the end of the response alone", [text("Hello"), chunk({}, "stop")], "stop"],
    ["with a space after [DONE]", [text("Hello"), chunk({}, "stop"), "data: [DONE] \n\n"], "stop"],
    ["before something that is no JSON", [text("Hello"), chunk({}, "stop"), "data: bye\n\n", DONE], "stop"],
  ])("the end of a backend's stream (%s) is sent once, and last", async (_how, events, reason) => {
    const message = await read(...events);
    expect([message.content, message.reasons]).toEqual(["Hello", [reason]]);
  });

  test("the end of a backend's stream keeps the other fields of its choice and its chunk", async () => {
    const last = { choices: [{ index: 0, delta: {}, finish_reason: "stop", stop_reason: "END" }], timings: { n: 1 } };
    const answer = await send(text("Hello") + formatEvent(last) + DONE);
    expect(JSON.parse(parseEvents(answer.text).at(-2) ?? "")).toMatchObject(last);
  });
});

describe("events that hold nothing", () => {
  test.each([
    ["blank data", "data:\n\n"],
    ["blank data with a space", "data: \n\n"],
    ["a named event with blank data", "event: ping\ndata:\n\n"],
    ["a named event with other data", "event: ping\ndata: 12:00\n\n"],
    ["a comment", ": ping\n\n"],
  ])("events without content (%s) do not end the answer, first or between texts", async (_what, event) => {
    const message = await read(event, text("Hel"), event, text("lo"), event, chunk({}, "stop"), DONE);
    expect([message.content, message.reasons]).toEqual(["Hello", ["stop"]]);
  });
});

describe("the usage of a backend's answer", () => {
  const usage = (given: object) => formatEvent({ choices: [], usage: given });
  const end = chunk({}, "stop");
  const whole = { prompt_tokens: 50, completion_tokens: 3 };
  test.each<[string, string[], object]>([
    [
      "in a choice",
      [text("Hi"), formatEvent({ choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: whole }] })],
      whole,
    ],
    [
      "in a chunk with an empty choice after the end",
      [text("Hi"), end, formatEvent({ choices: [{ index: 0, delta: {} }], usage: whole })],
      whole,
    ],
    [
      "in two halves",
      [usage({ prompt_tokens: 50 }), text("Hi"), end, usage({ completion_tokens: 3, total_tokens: 3 })],
      { ...whole, total_tokens: 53 },
    ],
    ["before one of zeros", [text("Hi"), end, usage(whole), usage({ prompt_tokens: 0, completion_tokens: 0 })], whole],
    ["before a partial one", [text("Hi"), end, usage(whole), usage({ completion_tokens: 2 })], whole],
    ["as texts", [text("Hi"), end, usage({ prompt_tokens: "50", completion_tokens: "3" })], whole],
    ["growing with each chunk", [usage({ ...whole, completion_tokens: 1 }), text("Hi"), end, usage(whole)], whole],
  ])("the usage of a backend's answer, sent %s, is counted", async (_where, events, expected) => {
    const answer = await send([...events, DONE].join(""), { stream: true, stream_options: { include_usage: true } });
    expect(JSON.parse(parseEvents(answer.text).at(-2) ?? "{}")).toMatchObject({ choices: [], usage: expected });
    expect(await server.usageRow(answer.id)).toMatchObject({ ...whole, estimated: false });
  });

  test("the usage of a backend's answer without a count of the prompt is completed by an estimate", async () => {
    const answer = await send([text("Hi"), end, usage({ prompt_tokens: 0, completion_tokens: 3 }), DONE].join(""));
    const row = await server.usageRow(answer.id);
    expect(row).toMatchObject({ completion_tokens: 3, estimated: true });
    expect(Number(row?.prompt_tokens)).toBeGreaterThan(0);
  });

  test("the usage of a backend's answer of zeros is believed where nothing was generated", async () => {
    const answer = await send([end, usage({ prompt_tokens: 0, completion_tokens: 0 }), DONE].join(""));
    expect(await server.usageRow(answer.id)).toMatchObject({
      prompt_tokens: 0,
      completion_tokens: 0,
      estimated: false,
    });
  });
});

describe("an answer of the other kind", () => {
  const message = { role: "assistant", content: "Hello", tool_calls: [part("f", { c: 1 }, { id: "a" })] };
  const whole = JSON.stringify({
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage: { prompt_tokens: 50, completion_tokens: 3 },
  });

  test.each(["application/json", "text/event-stream"])(
    "an answer of the other kind that is whole (%s) is sent as a stream",
    async (type) => {
      const answer = await send(` ${whole}`, { stream: true }, type);
      const read = readMessage(answer.text);
      expect([read.content, listCalls(read), read.reasons]).toEqual(["Hello", [["f", '{"c":1}']], ["tool_calls"]]);
      expect(parseEvents(answer.text).at(-1)).toBe("[DONE]");
      expect(await server.usageRow(answer.id)).toMatchObject({
        prompt_tokens: 50,
        completion_tokens: 3,
        outcome: "completed",
      });
    },
  );

  test("an answer of the other kind that is a stream is sent whole", async () => {
    const events = [
      text("Hel"),
      chunk({ content: "lo" }),
      calls(part("f", '{"c":', { id: "a" })),
      calls(part(null, "1}")),
    ];
    const answer = await send(
      [
        ...events,
        chunk({}, "stop"),
        formatEvent({ choices: [], usage: { prompt_tokens: 50, completion_tokens: 3 } }),
        DONE,
      ].join(""),
      {},
    );
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        object: "chat.completion",
        choices: [
          {
            message: {
              content: "Hello",
              tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: '{"c":1}' } }],
            },
            finish_reason: "tool_calls",
          },
        ],
        usage: { prompt_tokens: 50, completion_tokens: 3 },
      },
    ]);
  });

  test("an answer of the other kind that is a page is an error, streamed or not", async () => {
    for (const stream of [true, false]) {
      const answer = await send("<html></html>", { stream }, "text/html");
      expect([answer.status, errorOf(answer.body).code]).toEqual([502, "upstream_error"]);
      await server.removeUpstreams();
    }
  });
});

describe("a refusal with status 200", () => {
  const tooLong = "This model's maximum context length is 4096 tokens";
  test.each<[string, object, number, string]>([
    ["with its status as code", { error: { code: 400, message: tooLong } }, 400, "context_length_exceeded"],
    ["with its kind alone", { error: { type: "BadRequestError", message: tooLong } }, 400, "context_length_exceeded"],
    ["without an envelope", { object: "error", code: 400, message: tooLong }, 400, "context_length_exceeded"],
    ["for a limit", { error: { code: 429, message: "slow down" } }, 429, "rate_limit_exceeded"],
    ["of another kind", { error: { message: "boom" } }, 502, "upstream_error"],
  ])(
    "a refusal with status 200 %s is returned as an error, as the first event and as the body",
    async (_how, error, status, code) => {
      for (const [body, stream] of [
        [formatEvent(error), true],
        [JSON.stringify(error), true],
        [JSON.stringify(error), false],
      ] as const) {
        const answer = await send(body, { stream });
        expect([answer.status, errorOf(answer.body).code]).toEqual([status, code]);
        expect(answer.text).not.toMatch(/boom|slow down/);
        await server.removeUpstreams();
      }
    },
  );

  test("a refusal with status 200 does not count as a failure of the backend", async () => {
    await send(formatEvent({ error: { code: 400, message: tooLong } }));
    expect(server.api.backends.registry.list()).toMatchObject([{ failures: 0 }]);
  });
});

describe("a buffered answer", () => {
  const answerWith = async (choice: object) => {
    const body = JSON.stringify({ choices: [{ index: 0, finish_reason: "stop", ...choice }] });
    return send(body, {}, "application/json");
  };
  const messageOf = (answer: { body: unknown }) =>
    (answer.body as { choices: { message: Partial<Message>; finish_reason: string }[] }).choices[0];

  test.each<[string, object, object]>([
    [
      "text parts",
      {
        content: [
          { type: "text", text: "Hel" },
          { type: "text", text: "lo" },
        ],
      },
      { content: "Hello" },
    ],
    [
      "thinking parts",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
          { type: "text", text: "Hi" },
        ],
      },
      { content: "Hi", reasoning_content: "hm", reasoning: "hm" },
    ],
    ["a refusal", { content: null, refusal: "I can't" }, { content: null, refusal: "I can't" }],
  ])("a buffered answer with %s has its texts in the fields of OpenAI", async (_what, message, expected) => {
    expect(messageOf(await answerWith({ message }))?.message).toMatchObject(expected);
  });

  test.each(["stop", "eos", "function_call", null])(
    "a buffered answer with tool calls and the reason %s ends with tool_calls",
    async (finish_reason) => {
      const choice = messageOf(await answerWith({ message: { tool_calls: [part("f", "{}")] }, finish_reason }));
      expect(choice?.finish_reason).toBe("tool_calls");
    },
  );

  test.each([[""], [" "], [null], [undefined]])(
    "a buffered answer with the arguments %j of a call has an empty object",
    async (args) => {
      const choice = messageOf(await answerWith({ message: { tool_calls: [part("f", args)] } }));
      expect(JSON.parse(choice?.message.tool_calls?.[0]?.function.arguments ?? "")).toEqual({});
    },
  );

  test("a buffered answer with arguments of a call that has no name is an error", async () => {
    expect((await answerWith({ message: { tool_calls: [part(null, '{"c":1}')] } })).status).toBe(502);
  });

  test("a buffered answer with fewer choices than requested reports n as ignored", async () => {
    const answer = await send(
      JSON.stringify({ choices: [{ message: { content: "Hi" } }] }),
      { n: 2 },
      "application/json",
    );
    expect([answer.status, answer.headers.get("x-ignored-params")]).toEqual([200, "n"]);
  });
});
