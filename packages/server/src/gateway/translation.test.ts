import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const TOOL = { type: "function", function: { name: "f", parameters: { type: "object" } } };
const CALL = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
const PDF = "JVBERi0=";

type Path = "chat/completions" | "messages" | "responses";

/** Calls with a body. Returns the answer and what the backend has received. */
async function call(
  path: Path,
  body: object | string,
  headers: Record<string, string> = {},
  program: "other" | "vllm" = "other",
) {
  await server.removeUpstreams();
  const upstream = await server.addUpstream({}, [MODEL], 1, { program });
  const needed = path === "messages" ? { max_tokens: 50 } : {};
  const answer = await server.call(`/v1/${path}`, {
    token: owner.token,
    headers,
    body: typeof body === "string" ? body : { model: MODEL, ...needed, ...body },
  });
  const sent = upstream.recordedRequests.at(-1)?.body;
  return { ...answer, sent, ignored: answer.headers.get("x-ignored-params") };
}

describe("system messages reach the backend as one at the start", () => {
  test("system messages reach the backend as one at the start from chat completions, with later ones in the user's turn", async () => {
    const { sent } = await call("chat/completions", {
      messages: [
        { role: "system", content: "One." },
        { role: "developer", content: "Two." },
        user("Hi"),
        { role: "system", content: "Three." },
        assistant("Yes."),
        { role: "developer", content: "Four." },
        user([{ type: "text", text: "And?" }]),
      ],
    });
    expect(sent?.messages).toEqual([
      { role: "system", content: "One.\n\nTwo." },
      user("Hi\n\nThree."),
      assistant("Yes."),
      user([
        { type: "text", text: "Four." },
        { type: "text", text: "And?" },
      ]),
    ]);
  });

  test("system messages reach the backend as one at the start from Responses, instructions and developer items", async () => {
    const { sent } = await call("responses", {
      instructions: "One.",
      input: [{ role: "developer", content: "Two." }, user("Hi"), { role: "developer", content: "Three." }],
    });
    expect(sent?.messages).toEqual([{ role: "system", content: "One.\n\nTwo." }, user("Hi\n\nThree.")]);
  });

  test("system messages reach the backend as one at the start after the results of calls where one stands between a call and its result", async () => {
    const { sent } = await call("chat/completions", {
      messages: [
        user("Hi"),
        { role: "assistant", content: null, tool_calls: [CALL] },
        { role: "system", content: "Be quick." },
        { role: "tool", tool_call_id: "c1", content: "ok" },
      ],
    });
    expect(sent?.messages).toMatchObject([
      user("Hi"),
      { role: "assistant" },
      { role: "tool", content: "ok" },
      user("Be quick."),
    ]);
  });

  test("joining system messages reports their names as ignored", async () => {
    const { ignored } = await call("chat/completions", {
      messages: [{ role: "system", content: "One." }, user("Hi"), { role: "system", name: "boss", content: "Two." }],
    });
    expect(ignored).toBe("messages.name");
  });
});

describe("results of calls", () => {
  test("results of calls stand right behind their calls, and text between them joins the turn with the calls", async () => {
    const { sent } = await call("responses", {
      input: [
        { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
        { type: "message", role: "assistant", content: "said" },
        user("Meanwhile"),
        { type: "function_call_output", call_id: "c1", output: "42" },
      ],
    });
    expect(sent?.messages).toEqual([
      { role: "assistant", content: "said", tool_calls: [CALL] },
      { role: "tool", tool_call_id: "c1", content: "42" },
      user("Meanwhile"),
    ]);
  });

  test.each([
    ["a text", "42", "Error: 42"],
    ["a text that says so", "Error: no file", "Error: no file"],
    ["nothing", "", "Error"],
    ["an empty list", [], "Error"],
    ["no content", undefined, "Error"],
    ["blocks", [{ type: "text", text: "42" }], "Error: 42"],
  ])("results of calls that failed say so: with %s", async (_what, content, expected) => {
    const { sent } = await call("messages", {
      messages: [
        assistant([{ type: "tool_use", id: "c1", name: "f", input: {} }]),
        user([{ type: "tool_result", tool_use_id: "c1", is_error: true, content }]),
      ],
    });
    expect(sent?.messages).toMatchObject([{}, { role: "tool", content: expected }]);
  });
});

describe("reasoning items", () => {
  test("reasoning items that stand together are joined before the assistant's turn", async () => {
    const reasoning = (text: string) => ({ type: "reasoning", summary: [{ type: "summary_text", text }] });
    const { sent, ignored } = await call("responses", {
      input: [
        reasoning("one"),
        reasoning("two"),
        { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
        reasoning("three"),
        { type: "function_call", call_id: "c2", name: "f", arguments: "{}" },
      ],
    });
    expect(sent?.messages).toMatchObject([{ reasoning_content: "one\ntwo\nthree", tool_calls: [{}, {}] }]);
    expect(ignored).toBeNull();
  });

  test("reasoning items that no assistant's turn follows are left out and named", async () => {
    const { sent, ignored } = await call("responses", {
      input: [{ type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] }, user("Hi"), assistant("Yes.")],
    });
    expect(sent?.messages).toEqual([user("Hi"), assistant("Yes.")]);
    expect(ignored).toBe("input.reasoning");
  });
});

describe("numbers that no double holds", () => {
  const BIG = "2512292042121000001";

  test("numbers that no double holds of an earlier call in Messages stay as they were written", async () => {
    const { sent } = await call(
      "messages",
      `{"model":"${MODEL}","max_tokens":9,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{"id":${BIG},"x":[1.0,-${BIG}]}}]}]}`,
    );
    const written = `{"id":${BIG},"x":[1.0,-${BIG}]}`;
    expect(sent?.messages).toMatchObject([{ tool_calls: [{ function: { arguments: written } }] }]);
  });

  test("numbers that no double holds of a schema reach the backend as they were written", async () => {
    const upstream = await server.addUpstream();
    const body = `{"model":"${MODEL}","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"const":${BIG}}}}]}`;
    await server.call("/v1/chat/completions", { token: owner.token, body });
    expect(upstream.recordedRequests.at(-1)?.text).toContain(`{"const":${BIG}}`);
  });

  test("numbers that no double holds of an answer come back in Messages as the model wrote them", async () => {
    const toolCall = { id: "c1", type: "function", function: { name: "f", arguments: `{"id":${BIG}}` } };
    await server.addUpstream({ message: { content: null, tool_calls: [toolCall] }, finishReason: "tool_calls" });
    const answer = await server.call("/v1/messages", {
      token: owner.token,
      body: { model: MODEL, max_tokens: 9, messages: [user("Hi")] },
    });
    expect(answer.text).toContain(`"input":{"id":${BIG}}`);
  });
});

describe("half surrogate pairs are replaced before backends get them", () => {
  const HALF = "cut \ud83d";

  test.each<[Path | "embeddings", object]>([
    [
      "chat/completions",
      { messages: [{ role: "system", content: HALF }, user(HALF)], tools: [{ ...TOOL, description: HALF }] },
    ],
    [
      "messages",
      { system: HALF, messages: [assistant([{ type: "tool_use", id: "c", name: "f", input: { a: HALF } }])] },
    ],
    ["responses", { instructions: HALF, input: [user([{ type: "input_text", text: HALF }])] }],
    ["embeddings", { input: [HALF] }],
  ])("half surrogate pairs are replaced before backends get them in %s", async (path, body) => {
    const { sent } = await call(path as Path, body);
    expect(JSON.stringify(sent)).toContain("cut \ufffd");
    expect(JSON.stringify(sent)).not.toMatch(/\\ud83d/i);
  });

  test("half surrogate pairs are replaced before backends get them in the arguments of an earlier call, escaped ones too", async () => {
    const toolCall = { ...CALL, function: { name: "f", arguments: '{"a":"\\ud83d"}' } };
    const { sent } = await call("chat/completions", { messages: [{ role: "assistant", tool_calls: [toolCall] }] });
    expect(sent?.messages).toMatchObject([{ tool_calls: [{ function: { arguments: '{"a":"\\ufffd"}' } }] }]);
  });
});

describe("fields that say nothing", () => {
  test.each(["", " "])("blank arguments %j of an earlier call become an empty object", async (text) => {
    const toolCall = { ...CALL, function: { name: "f", arguments: text } };
    const chat = await call("chat/completions", { messages: [{ role: "assistant", tool_calls: [toolCall] }] });
    const responses = await call("responses", {
      input: [{ type: "function_call", call_id: "c1", name: "f", arguments: text }],
    });
    for (const { sent } of [chat, responses])
      expect(sent?.messages).toMatchObject([{ tool_calls: [{ function: { arguments: "{}" } }] }]);
  });

  test.each<[Path, object]>([
    ["chat/completions", { messages: [user("Hi")] }],
    ["messages", { messages: [user("Hi")] }],
    ["responses", { input: "Hi" }],
  ])("an empty list of tools in %s is left out, and so is the choice of a tool", async (path, body) => {
    const choice = path === "messages" ? { type: "auto" } : "auto";
    const { sent } = await call(path, { ...body, tools: [], tool_choice: choice, parallel_tool_calls: true });
    expect(Object.keys(sent ?? {})).not.toEqual(expect.arrayContaining([expect.stringMatching(/tool/)]));
  });
});

describe("texts side by side", () => {
  const texts = (type: string) => ["the end", "What is it?", " Well?"].map((text) => ({ type, text }));

  test("texts of a user that stand side by side are joined by a line break where there is no white space", async () => {
    const messages = await call("messages", { messages: [user(texts("text"))] });
    const responses = await call("responses", { input: [user(texts("input_text"))] });
    for (const { sent } of [messages, responses]) expect(sent?.messages).toEqual([user("the end\nWhat is it? Well?")]);
  });

  test("texts of an assistant that stand side by side are one text", async () => {
    const { sent } = await call("messages", { messages: [assistant(texts("text")), user("Go on")] });
    expect(sent?.messages).toMatchObject([{ content: "the endWhat is it? Well?" }, {}]);
  });
});

describe("allowed_tools", () => {
  const named = (name: string) => ({ type: "function", function: { name } });

  test("allowed_tools sends only the allowed tools, from Responses and from chat completions", async () => {
    const responses = await call("responses", {
      input: "Hi",
      tools: ["a", "b"].map((name) => ({ type: "function", name })),
      tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "a" }] },
    });
    const chat = await call("chat/completions", {
      messages: [user("Hi")],
      tools: [named("a"), named("b")],
      tool_choice: { type: "allowed_tools", allowed_tools: { mode: "required", tools: [named("a")] } },
    });
    for (const { sent } of [responses, chat])
      expect(sent).toMatchObject({ tools: [named("a")], tool_choice: "required" });
  });

  test("allowed_tools that name no tool are refused", async () => {
    const { status, body } = await call("responses", {
      input: "Hi",
      tools: [{ type: "function", name: "a" }],
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "z" }] },
    });
    expect([status, errorOf(body).param]).toEqual([400, "tool_choice.tools"]);
  });
});

describe("files", () => {
  const document = {
    type: "document",
    title: "a.pdf",
    source: { type: "base64", media_type: "application/pdf", data: PDF },
  };
  const data = `data:application/pdf;base64,${PDF}`;

  test.each<[string, Path, object]>([
    ["a document of Messages", "messages", { messages: [user([document])] }],
    [
      "a document in a tool's result",
      "messages",
      {
        messages: [
          assistant([{ type: "tool_use", id: "c", name: "f", input: {} }]),
          user([{ type: "tool_result", tool_use_id: "c", content: [document] }]),
        ],
      },
    ],
    [
      "an input_file of Responses",
      "responses",
      { input: [user([{ type: "input_file", filename: "a.pdf", file_data: data }])] },
    ],
    ["a file of a chat", "chat/completions", { messages: [user([{ type: "file", file: { file_data: data } }])] }],
  ])(
    "%s is read, as the model takes no files, and refused because it is damaged, not because of its type",
    async (_what, path, body) => {
      const { status, body: refusal } = await call(path, body);
      expect([status, errorOf(refusal).code]).toEqual([400, "documents.damaged"]);
    },
  );
});

describe("what has no effect", () => {
  const CASES: [string, Path, object, string | null][] = [
    ["text.verbosity", "responses", { input: "Hi", text: { verbosity: "low" } }, "text.verbosity"],
    ["reasoning.summary", "responses", { input: "Hi", reasoning: { summary: "detailed" } }, "reasoning.summary"],
    ["include", "responses", { input: "Hi", include: ["reasoning.encrypted_content"] }, "include"],
    ["truncation", "responses", { input: "Hi", truncation: "auto" }, "truncation"],
    [
      "thinking.budget_tokens",
      "messages",
      { messages: [user("Hi")], thinking: { type: "enabled", budget_tokens: 9 } },
      "thinking.budget_tokens",
    ],
    [
      "context_management",
      "messages",
      { messages: [user("Hi")], context_management: { edits: [] } },
      "context_management",
    ],
    ["service_tier", "messages", { messages: [user("Hi")], service_tier: "priority" }, "service_tier"],
    [
      "cache_control",
      "messages",
      { messages: [user([{ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }])] },
      "messages.cache_control",
    ],
    [
      "a setting of a tool",
      "messages",
      { messages: [user("Hi")], tools: [{ name: "f", defer_loading: true }] },
      "tools.defer_loading",
    ],
    ["a choice without tools", "messages", { messages: [user("Hi")], tool_choice: { type: "any" } }, "tool_choice"],
    [
      "stream options",
      "chat/completions",
      { messages: [user("Hi")], stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } },
      "stream_options.continuous_usage_stats",
    ],
    ["a name that no header holds", "chat/completions", { messages: [user("Hi")], "größe 1": 1 }, "gr__e_1"],
    ["null", "messages", { messages: [user("Hi")], context_management: null, thinking: null }, null],
    [
      "what a caller sends back",
      "responses",
      {
        input: [
          {
            type: "message",
            id: "m",
            status: "completed",
            role: "assistant",
            content: [{ type: "output_text", text: "x", annotations: [], logprobs: [] }],
          },
        ],
      },
      null,
    ],
  ];

  test.each(CASES)("a field without effect is named by its path: %s", async (_what, path, body, expected) => {
    const { status, ignored } = await call(path, body);
    expect([status, ignored]).toEqual([200, expected]);
  });

  test.each(CASES.filter(([, , , expected]) => expected !== null))(
    "a field without effect is refused on request: %s",
    async (_what, path, body) => {
      const { status, body: refusal } = await call(path, body, { "x-strict-params": "1" });
      expect([status, errorOf(refusal).code]).toEqual([400, "unsupported_parameter"]);
    },
  );

  test.each([
    ["store", { store: true }],
    ["functions", { functions: [{ name: "f" }] }],
    ["function_call", { function_call: { name: "f" } }],
    ["messages[0].function_call", { messages: [{ role: "assistant", function_call: { name: "f", arguments: "{}" } }] }],
  ])("a field without effect that callers would miss is refused in chat completions: %s", async (param, body) => {
    const { status, body: refusal } = await call("chat/completions", { messages: [user("Hi")], ...body });
    expect([status, errorOf(refusal).code, errorOf(refusal).param]).toEqual([400, "unsupported_parameter", param]);
  });

  test("x-strict-params must be 1 or 0", async () => {
    const { status, body } = await call("chat/completions", { messages: [user("Hi")] }, { "x-strict-params": "true" });
    expect([status, errorOf(body)]).toMatchObject([
      400,
      { message: "x-strict-params is not valid: it must be 1 or 0." },
    ]);
  });

  test("a field that asks for the default, such as store: false, is left out without a note", async () => {
    const { status, sent, ignored } = await call("chat/completions", { messages: [user("Hi")], store: false });
    expect([status, "store" in (sent ?? {}), ignored]).toEqual([200, false, null]);
  });
});

test("the effort of Messages is passed on", async () => {
  const effort = async (value: string) =>
    (await call("messages", { messages: [user("Hi")], output_config: { effort: value } })).sent?.reasoning_effort;
  expect([await effort("low"), await effort("max")]).toEqual(["low", "high"]);
});

test("Claude Code's billing line is dropped from system prompts only", async () => {
  const line = "x-anthropic-billing-header: cc_version=1; cch=abc;";
  const { sent, ignored } = await call("messages", {
    system: [
      { type: "text", text: line },
      { type: "text", text: `${line}\nBe brief.` },
    ],
    messages: [user(line)],
  });
  expect(sent?.messages).toEqual([{ role: "system", content: "Be brief." }, user(line)]);
  expect(ignored).toBe("system.x-anthropic-billing-header");
});

test("up to 1,024 tools are taken", async () => {
  const tools = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ type: "function", function: { name: `f${at}` } }));
  const { status, sent } = await call("chat/completions", { messages: [user("Hi")], tools: tools(1024) });
  expect([status, sent?.tools]).toEqual([200, tools(1024)]);
  const refused = await call("chat/completions", { messages: [user("Hi")], tools: tools(1025) });
  expect([refused.status, errorOf(refused.body).message]).toEqual([
    400,
    "tools is not valid: it must have 1024 items at most.",
  ]);
});

test("a compressed body is refused, and the error says what is accepted", async () => {
  const { status, headers } = await call("chat/completions", { messages: [] }, { "content-encoding": "gzip" });
  expect([status, headers.get("accept-encoding")]).toEqual([415, "identity"]);
});

test("top_p 0 takes the likeliest token", async () => {
  const { sent } = await call("chat/completions", { messages: [user("Hi")], top_p: 0, temperature: 0.7 });
  expect(sent).toMatchObject({ top_p: 1, temperature: 0 });
});

describe("an assistant's turn at the end of a Messages conversation", () => {
  const body = { messages: [user("Hi"), assistant("The answer is")] };

  test("an assistant's turn at the end of a Messages conversation is continued by a program that has a field for it", async () => {
    const { sent, ignored } = await call("messages", body, {}, "vllm");
    expect(sent).toMatchObject({ continue_final_message: true, add_generation_prompt: false });
    expect(ignored).toBeNull();
  });

  test("an assistant's turn at the end of a Messages conversation is sent unchanged to other backends, and in chat completions", async () => {
    const other = await call("messages", body);
    const chat = await call("chat/completions", body, {}, "vllm");
    for (const { sent } of [other, chat]) expect(Object.keys(sent ?? {})).not.toContain("continue_final_message");
  });
});

describe("blocks of tools that only a provider runs", () => {
  test("blocks of tools that only a provider runs are left out of a Messages conversation and named", async () => {
    const { status, sent, ignored } = await call("messages", {
      messages: [
        user("Hi"),
        assistant([
          { type: "compaction", content: "So far: greetings." },
          { type: "server_tool_use", id: "s", name: "web_search", input: {} },
          { type: "web_search_tool_result", tool_use_id: "s", content: [] },
          { type: "mcp_tool_use", id: "m", name: "x", server_name: "y", input: {} },
        ]),
        user("And?"),
      ],
    });
    expect(status).toBe(200);
    expect(sent?.messages).toEqual([user("Hi"), assistant("So far: greetings."), user("And?")]);
    expect(ignored).toBe("messages.server_tool_use, messages.web_search_tool_result, messages.mcp_tool_use");
  });

  test("blocks of tools that only a provider runs are left out of a Responses conversation and named", async () => {
    const { status, sent, ignored } = await call("responses", {
      input: [{ type: "web_search_call", id: "w", status: "completed" }, user("And?")],
    });
    expect([status, sent?.messages, ignored]).toEqual([200, [user("And?")], "input.web_search_call"]);
  });

  test("references to items that are kept elsewhere are refused", async () => {
    const { status, body } = await call("responses", { input: [{ type: "item_reference", id: "x" }] });
    expect([status, errorOf(body).code]).toEqual([400, "unsupported_parameter"]);
  });

  test("hits of the caller's own search and references to tools are texts", async () => {
    const { sent } = await call("messages", {
      messages: [
        user([
          {
            type: "search_result",
            title: "Down",
            source: "https://a.example",
            content: [{ type: "text", text: "Warm." }],
          },
          { type: "tool_result", tool_use_id: "t", content: [{ type: "tool_reference", tool_name: "weather" }] },
        ]),
      ],
    });
    expect(sent?.messages).toEqual([
      { role: "tool", tool_call_id: "t", content: "The tool weather can be called." },
      user("Down\nhttps://a.example\nWarm."),
    ]);
  });
});

describe("custom tools of Responses", () => {
  const tools = [
    {
      type: "custom",
      name: "apply_patch",
      description: "Edits.",
      format: { type: "grammar", syntax: "lark", definition: "start: x" },
    },
  ];

  test("custom tools of Responses are functions with one text for the backend, and so are their earlier calls", async () => {
    const { sent, ignored } = await call("responses", {
      tools,
      tool_choice: { type: "custom", name: "apply_patch" },
      input: [
        { type: "custom_tool_call", call_id: "c1", name: "apply_patch", input: "*** Begin" },
        { type: "custom_tool_call_output", call_id: "c1", output: "Done" },
      ],
    });
    expect(ignored).toBeNull();
    expect(sent).toMatchObject({
      tool_choice: { type: "function", function: { name: "apply_patch" } },
      tools: [
        {
          type: "function",
          function: {
            name: "apply_patch",
            description: "Edits.\n\nThe input follows this lark grammar:\nstart: x",
            parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
          },
        },
      ],
      messages: [
        { role: "assistant", tool_calls: [{ function: { name: "apply_patch", arguments: '{"input":"*** Begin"}' } }] },
        { role: "tool", tool_call_id: "c1", content: "Done" },
      ],
    });
  });
});
