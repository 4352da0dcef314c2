import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, MODEL } from "../testing/chat.ts";
import { OPERATIONS, rowsOf, type Schema, schemaOf } from "../testing/contract-walk.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const CALLS = OPERATIONS.filter(({ path, body }) => body && /^(\/deployments\/\{id\})?\/v1\//.test(path));

/** Returns the optional fields of a schema and of its parts that do not accept null. */
function refusingNull(given: Schema, at: string): string[] {
  const schema = schemaOf(given);
  const properties = Object.entries(schema.properties ?? {});
  const parts = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...properties.flatMap(([name, property]) => [
      ...(schema.required?.includes(name) || takesNull(property) ? [] : [`${at}.${name}`]),
      ...refusingNull(property, `${at}.${name}`),
    ]),
    ...parts.flatMap((part) => refusingNull(part, at)),
  ];
}

function takesNull(given: Schema): boolean {
  const { type, anyOf, oneOf, enum: values } = schemaOf(given);
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return alternatives.some(takesNull);
  return [type].flat().includes("null") && (values === undefined || values.includes(null));
}

describe("optional fields of model calls", () => {
  let server: TestServer;
  let caller: Account;
  beforeAll(async () => {
    server = await createTestServer();
    caller = await server.signUpOnPlan({});
  });
  afterEach(() => server.removeUpstreams());
  afterAll(() => server.close());

  test.each(rowsOf(CALLS))("optional fields of model calls of %s accept null", (_id, { body }) => {
    expect(refusingNull(body?.schema ?? {}, "")).toEqual([]);
  });

  test.each<[string, object, object]>([
    [
      "/v1/embeddings",
      { input: "Hi", encoding_format: null, dimensions: null, user: null },
      { model: `up:${MODEL}`, input: "Hi" },
    ],
    [
      "/v1/chat/completions",
      {
        messages: [{ role: "user", content: "Hi", name: null, tool_calls: null }],
        temperature: null,
        tools: null,
        tool_choice: null,
        parallel_tool_calls: null,
        stream: null,
        metadata: null,
      },
      { model: `up:${MODEL}`, messages: [{ role: "user", content: "Hi" }] },
    ],
    [
      "/v1/chat/completions",
      {
        messages: [{ role: "user", content: "Hi" }],
        tools: [{ type: "function", function: { name: "f", description: null, parameters: null, strict: null } }],
        response_format: { type: "json_schema", json_schema: { name: "x", schema: {}, strict: null } },
      },
      {
        model: `up:${MODEL}`,
        messages: [{ role: "user", content: "Hi" }],
        tools: [{ type: "function", function: { name: "f" } }],
        response_format: { type: "json_schema", json_schema: { name: "x", schema: {} } },
      },
    ],
  ])("optional fields of model calls that are null are not sent to the backend by %s", async (path, body, sent) => {
    const upstream = await server.addUpstream();
    const answer = await server.call(path, { token: caller.token, body: { model: MODEL, ...body } });
    expect([answer.status, answer.headers.get("x-ignored-params")]).toEqual([200, null]);
    expect(upstream.recordedRequests[0]?.body).toEqual(sent);
  });

  test("optional fields of model calls keep null content in an assistant message with only tool calls", async () => {
    const upstream = await server.addUpstream();
    const tool_calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }];
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: null, tool_calls },
      { role: "tool", tool_call_id: "c", content: "ok" },
    ];
    await server.call("/v1/chat/completions", { token: caller.token, body: createChatRequest({ messages }) });
    expect(upstream.recordedRequests[0]?.body.messages).toEqual(messages);
  });

  test("optional fields of model calls can be null in a preflight request", async () => {
    await server.addUpstream();
    const body = { model: MODEL, prompt_tokens: null, max_tokens: null, prompts: null };
    const answer = await server.call("/v1/preflight", { token: caller.token, body });
    expect([answer.status, answer.body]).toMatchObject([200, { admitted: true }]);
  });
});
