import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { errorOf, MODEL } from "../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../testing/server.ts";
import type { ApiName } from "./api.ts";
import { APIS } from "./apis.ts";
import { findLeftOut } from "./left-out.ts";

let server: TestServer;
let caller: Account;
beforeAll(async () => {
  server = await createTestServer();
  caller = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const PICTURE = "data:image/png;base64,aWNv";
const see = (detail: string | null) => ({ type: "image_url", image_url: { url: PICTURE, detail } });
const createCall = (...content: object[]) => ({ model: MODEL, messages: [{ role: "user", content }] });
const tool = (strict: boolean) => ({ type: "function", function: { name: "weather", parameters: {}, strict } });

test.each<[string, object, string[]]>([
  ["a name of a message", { messages: [{ role: "user", content: "Hi", name: "ada" }] }, ["messages.name"]],
  ["a detail of a picture", createCall(see("high"), see("low")), ["messages.image_url.detail"]],
  ["the detail that is chosen by itself", createCall(see("auto"), see(null)), []],
  [
    "unsigned reasoning",
    { messages: [{ role: "assistant", content: "Yes.", reasoning_content: "Hm." }] },
    ["messages.reasoning_content"],
  ],
  [
    "the text of signed reasoning",
    { messages: [{ role: "assistant", content: "Yes.", reasoning_content: "Hm.", reasoning_details: [{}] }] },
    [],
  ],
  ["a strict tool", { messages: [], tools: [tool(true)] }, ["tools.strict"]],
  ["a tool that is not strict", { messages: [], tools: [tool(false)] }, []],
  ["nothing", { prompt: "Hi" }, []],
])("what Gemini's API has no place for is found: %s", (_what, body, paths) => {
  expect(findLeftOut(APIS.gemini.leftOut, { model: MODEL, ...body })).toEqual(paths);
});

test.each<[ApiName, string[]]>([
  ["openai", []],
  ["anthropic", ["messages.name"]],
  ["bedrock", ["messages.name"]],
  ["gemini", ["messages.name", "tools.strict"]],
])("a backend with the API %s is sent no strict call with parts that it has no place for", async (api, leftOut) => {
  const upstream = await server.addUpstream();
  const [backend] = server.api.backends.registry.list();
  if (backend === undefined) throw new Error("There is no backend.");
  backend.api = APIS[api];
  const body = { model: MODEL, messages: [{ role: "user", content: "Hi", name: "ada" }], tools: [tool(true)] };
  const headers = { "x-strict-params": "1" };
  const answer = await server.call("/v1/chat/completions", { token: caller.token, body, headers });
  if (leftOut.length === 0) expect(answer.status).toBe(200);
  else
    expect([answer.status, errorOf(answer.body), upstream.recordedRequests]).toMatchObject([
      400,
      { code: "unsupported_parameter", details: { unsupported: leftOut } },
      [],
    ]);
});

test("what is left out is named to callers", async () => {
  await server.addUpstream();
  const [backend] = server.api.backends.registry.list();
  if (backend === undefined) throw new Error("There is no backend.");
  // The rest of the API stays OpenAI's, so that the backend understands it.
  backend.api = { ...APIS.openai, leftOut: APIS.gemini.leftOut };
  const body = { model: MODEL, messages: [{ role: "user", content: "Hi", name: "ada" }], tools: [tool(true)] };
  const { headers, status } = await server.call("/v1/chat/completions", { token: caller.token, body });
  expect([status, headers.get("x-ignored-params")]).toEqual([200, "messages.name, tools.strict"]);
});
