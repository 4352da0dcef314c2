import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const TOOL = "tools[0].function.parameters.properties.a.pattern";
const ANSWER = "response_format.json_schema.schema.not";
const CALLERS = [
  ["chat/completions", { messages: [{ role: "user", content: "Hi" }] }, TOOL, ANSWER],
  [
    "messages",
    { messages: [{ role: "user", content: "Hi" }], max_tokens: 5 },
    "tools[0].input_schema.properties.a.pattern",
    "output_config.format.schema.not",
  ],
  ["responses", { input: "Hi" }, "tools[0].parameters.properties.a.pattern", "text.format.schema.not"],
] as const;

test.each(CALLERS)("keywords that the engine ignores have the names of %s", async (path, body, tool, answer) => {
  await server.addUpstream({ headers: { "x-ignored-params": `${TOOL}, ${ANSWER}` } }, [MODEL], 1, { source: "engine" });
  for (const stream of [false, true]) {
    const { headers } = await server.call(`/v1/${path}`, {
      token: owner.token,
      body: { model: MODEL, ...body, stream },
    });
    expect(headers.get("x-ignored-params")).toBe(`${tool}, ${answer}`);
  }
});

test.each(CALLERS)("keywords that the engine refuses have the names of %s", async (path, body, tool) => {
  const error = { message: `Not at ${TOOL}: no.`, code: "unsupported_parameter", param: TOOL };
  const fault = { kind: "refuse", status: 400, body: { error } } as const;
  await server.addUpstream({ fault }, [MODEL], 1, { source: "engine" });
  for (const stream of [false, true]) {
    const answer = await server.call(`/v1/${path}`, { token: owner.token, body: { model: MODEL, ...body, stream } });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`Not at ${tool}: no.`);
  }
});
