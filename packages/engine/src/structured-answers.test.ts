import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createTemporaryFolder,
  demoModelPath,
  type ServedEngine,
  sendRequest,
  serveModel,
} from "./testing/engine-process.ts";
import { LLAMA_TEMPLATE } from "./testing/tool-templates.ts";
import { writeReasoningModel, writeSpeakingModel, writeToolModel } from "./testing/toy-models.ts";

const folder = createTemporaryFolder();
let demo: ServedEngine;
let calling: ServedEngine;
let llama: ServedEngine;
let reasoning: ServedEngine;

beforeAll(async () => {
  const path = (name: string) => `${folder.path}/${name}.gguf`;
  writeToolModel(path("calling"));
  writeReasoningModel(path("reasoning"));
  const speech = {
    template: LLAMA_TEMPLATE,
    start: "\n",
    pieces: ["It is", " so."],
    specialTokens: ["<|python_tag|>"],
  };
  writeSpeakingModel(path("llama"), speech);
  demo = await serveModel(demoModelPath());
  calling = await serveModel(path("calling"));
  llama = await serveModel(path("llama"));
  reasoning = await serveModel(path("reasoning"));
});
afterAll(async () => {
  for (const engine of [demo, calling, llama, reasoning]) await engine[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const STRICT_PARAMS = { "x-strict-params": "1" };

async function ask(engine: ServedEngine, body: object, headers: Record<string, string> = {}) {
  const messages = [{ role: "user", content: "Hi" }];
  const answer = await sendRequest(
    engine.socket,
    "/v1/chat/completions",
    { messages, max_tokens: 600, ...body },
    headers,
  );
  return { ...answer, ignored: answer.headers["x-ignored-params"] };
}

const answerTo = (schema: unknown, more: object = {}) => ({
  response_format: { type: "json_schema", json_schema: { name: "answer", schema, ...more } },
});
const toolOf = (parameters: unknown, more: object = {}) => ({
  tools: [{ type: "function", function: { name: "lookup", parameters, ...more } }],
});

function createValidator(schema: object): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 9 });
  ajvFormats.default(ajv);
  return ajv.compile(schema);
}

const PERSON = {
  type: "object",
  properties: {
    id: { type: "string", format: "uuid" },
    born: { type: "string", format: "date" },
    code: { type: "string", pattern: "^[A-Z]{2}-\\d{3}$" },
    age: { type: "integer", minimum: 3, maximum: 5 },
    share: { type: "number", minimum: 0, exclusiveMaximum: 1 },
    kinds: { type: "array", items: { enum: ["a", "b", "c"] }, uniqueItems: true, minItems: 2 },
    next: { anyOf: [{ $ref: "#/$defs/step" }, { type: "null" }] },
  },
  required: ["id", "born", "code", "age", "share", "kinds", "next"],
  additionalProperties: false,
  $defs: { step: { type: "object", properties: { at: { type: "integer", multipleOf: 5 } }, required: ["at"] } },
};

const GENERATED: object[] = [
  { type: "integer", minimum: 3, maximum: 5 },
  { type: "string", pattern: "^a{1,20}$" },
  { type: "string", format: "ipv4" },
  { type: "string", minLength: 3, maxLength: 12 },
  { type: "object", properties: { a: { type: "boolean" }, b: { type: "null" } }, minProperties: 1 },
  PERSON,
];

test.each(GENERATED.map((schema) => ({ schema, json: JSON.stringify(schema).slice(0, 80) })))(
  "whatever a model writes fits a strict schema: $json",
  async ({ schema }) => {
    const isValid = createValidator(schema);
    for (const [seed, temperature] of [
      [1, 0],
      [2, 1],
      [3, 100],
      [4, 100],
      [5, 100],
    ]) {
      const { status, body } = await ask(demo, { ...answerTo(schema, { strict: true }), seed, temperature });
      const [choice] = JSON.parse(body).choices;
      expect([status, choice.finish_reason]).toEqual([200, "stop"]);
      expect([choice.message.content, isValid(JSON.parse(choice.message.content))]).toEqual([
        choice.message.content,
        true,
      ]);
    }
  },
);

test("optional properties may be absent", async () => {
  const schema = {
    type: "object",
    properties: { a: { type: "boolean" }, b: { type: "boolean" } },
    additionalProperties: false,
  };
  const seen = new Set<string>();
  for (let seed = 0; seed < 20; seed++) {
    const { body } = await ask(demo, { ...answerTo(schema), seed, temperature: 100 });
    seen.add(Object.keys(JSON.parse(JSON.parse(body).choices[0].message.content)).join());
  }
  expect(seen.size).toBeGreaterThan(1);
  expect([...seen].filter((names) => !["", "a", "b", "a,b"].includes(names))).toEqual([]);
});

const UNHELD = {
  type: "object",
  properties: { "a b": { type: "string", pattern: "(?=x)" }, n: { not: {}, type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};
const UNHELD_PATHS = ["properties.a%20b.pattern", "properties.n.not"];

test("a strict schema with a keyword that is not held is refused with the path of the keyword", async () => {
  const { status, body } = await ask(
    demo,
    answerTo({ properties: { a: { type: "string", pattern: "(?=x)" } } }, { strict: true }),
  );
  const param = "response_format.json_schema.schema.properties.a.pattern";
  expect([status, JSON.parse(body).error]).toMatchObject([400, { code: "unsupported_parameter", param }]);
  expect(JSON.parse(body).error.message).toContain("it looks ahead or behind");
});

test.each([false, true])("keywords of other schemas that are not held are named, streamed: %s", async (stream) => {
  const { status, ignored } = await ask(demo, { ...answerTo(UNHELD), stream, max_tokens: 5 });
  expect(status).toBe(200);
  expect(String(ignored).split(", ").sort()).toEqual(
    UNHELD_PATHS.map((path) => `response_format.json_schema.schema.${path}`),
  );
});

test("they are refused where the request is strict", async () => {
  const { status, body } = await ask(demo, answerTo(UNHELD), STRICT_PARAMS);
  expect([status, JSON.parse(body).error.code]).toEqual([400, "unsupported_parameter"]);
  expect(JSON.parse(body).error.param).toMatch(/^response_format\.json_schema\.schema\.properties\./);
});

test("a schema that is held has no header", async () => {
  expect((await ask(demo, answerTo(PERSON), STRICT_PARAMS)).ignored).toBeUndefined();
});

const CITY = { type: "object", properties: { city: { type: "string", pattern: "^[A-C]{2}$" } }, required: ["city"] };

test("a tool call is held to the parameters of its tool", async () => {
  const { body } = await ask(calling, toolOf(CITY, { strict: true }));
  const [call] = JSON.parse(body).choices[0].message.tool_calls;
  expect(JSON.parse(call.function.arguments)).toEqual({ city: expect.stringMatching(/^[A-C]{2}$/) });
});

test.each([{ type: "object" }, { type: "object", properties: {} }, undefined])(
  "a tool without parameters is called without arguments: %j",
  async (parameters) => {
    const { body } = await ask(calling, toolOf(parameters));
    expect(JSON.parse(body).choices[0].message.tool_calls[0].function.arguments).toBe("{}");
  },
);

test("a strict tool with a keyword that is not held is refused, another one is named", async () => {
  const parameters = { ...CITY, not: { required: ["x"] } };
  const strict = await ask(calling, toolOf(parameters, { strict: true }));
  const param = "tools[0].function.parameters.not";
  expect([strict.status, JSON.parse(strict.body).error]).toMatchObject([400, { code: "unsupported_parameter", param }]);
  expect(await ask(calling, toolOf(parameters))).toMatchObject({ status: 200, ignored: param });
});

test("calls of a family that are only held where they are required are named or refused otherwise", async () => {
  const param = "tools[0].function.parameters";
  expect(await ask(llama, toolOf(CITY))).toMatchObject({ status: 200, ignored: param });
  const strict = await ask(llama, toolOf(CITY, { strict: true }));
  expect([strict.status, JSON.parse(strict.body).error]).toMatchObject([400, { code: "unsupported_parameter", param }]);
  const required = await ask(llama, { ...toolOf(CITY, { strict: true }), tool_choice: "required" });
  expect([required.status, required.ignored]).toEqual([200, undefined]);
  const [call] = JSON.parse(required.body).choices[0].message.tool_calls;
  expect(JSON.parse(call.function.arguments)).toEqual({ city: expect.stringMatching(/^[A-C]{2}$/) });
});

test.each([
  ["reasoning_effort", { reasoning_effort: "high" }],
  ["chat_template_kwargs.enable_thinking", { chat_template_kwargs: { enable_thinking: true, thinking: true } }],
  ["chat_template_kwargs.style", { chat_template_kwargs: { style: "short" } }],
])("%s is named or refused where the template does not read it", async (param, fields) => {
  const { status, ignored } = await ask(demo, fields);
  expect([status, String(ignored).split(", ")[0]]).toEqual([200, param]);
  const strict = await ask(demo, fields, STRICT_PARAMS);
  expect([strict.status, JSON.parse(strict.body).error]).toMatchObject([400, { code: "unsupported_parameter", param }]);
});

test("values that the template reads, and the wish not to think, are not named", async () => {
  const read = { reasoning_effort: "high", chat_template_kwargs: { enable_thinking: true, thinking: true } };
  expect(await ask(reasoning, read, STRICT_PARAMS)).toMatchObject({ status: 200 });
  expect((await ask(reasoning, read)).ignored).toBeUndefined();
  const off = { reasoning_effort: "none", chat_template_kwargs: { enable_thinking: false } };
  expect(await ask(demo, off, STRICT_PARAMS)).toMatchObject({ status: 200 });
});
