import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../http/contract.ts";
import { createValidators } from "../../http/validation.ts";
import { MODEL } from "../../testing/chat.ts";
import { createTestServer, type TestServer } from "../../testing/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

type Listed = { id: string };
const get = (path: string, headers: Record<string, string> = {}) => server.call(path, { headers });

describe("models as OpenRouter's clients read them", () => {
  const fields = {
    canonical_slug: MODEL,
    default_parameters: null,
    per_request_limits: null,
    supported_voices: null,
    links: { details: `/api/v1/models/${MODEL}` },
    top_provider: { is_moderated: false },
  };

  test("models have the fields that OpenRouter's clients require", async () => {
    expect((await get(`/v1/models/${MODEL}`)).body).toMatchObject(fields);
    const { body } = await get("/v1/models");
    const { data } = body as { data: Listed[] };
    expect(body).toMatchObject({ total_count: data.length, links: { next: null } });
    expect(data.find(({ id }) => id === MODEL)).toMatchObject(fields);
  });

  test("OpenRouter's clients can follow the links from page to page", async () => {
    const { body } = await get("/v1/models?per_page=200&q=e");
    const { links } = body as { links: { next: string } };
    expect(links.next).toContain("page=2");
    const next = await get(links.next);
    expect(next.body).toMatchObject({ pagination: { current_page: 2, per_page: 200 } });
  });
});

describe("models as Anthropic's clients read them", () => {
  const headers = { "anthropic-version": "2023-06-01" };
  const model = {
    type: "model",
    id: MODEL,
    display_name: expect.any(String),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    max_input_tokens: expect.any(Number),
    max_tokens: expect.any(Number),
    lifecycle: "active",
    capabilities: null,
    deprecated_at: null,
    line: null,
    retires_at: null,
  };

  test("returns a single model in Anthropic's form", async () => {
    expect((await get(`/v1/models/${MODEL}`, headers)).body).toEqual(model);
  });

  test("lists models in Anthropic's form without a next page", async () => {
    const { body } = await get("/v1/models", headers);
    const { data } = body as { data: Listed[] };
    expect(data.find(({ id }) => id === MODEL)).toEqual(model);
    expect(body).toEqual({ data, has_more: false, first_id: data[0]?.id, last_id: data.at(-1)?.id });
  });

  test("lists models in Anthropic's form by pages, forwards and backwards", async () => {
    const page = async (query: string) =>
      (await get(`/v1/models?${query}`, headers)).body as { data: Listed[]; has_more: boolean };
    const ids = (await page("")).data.map(({ id }) => id);
    const idsOf = ({ data, has_more }: { data: Listed[]; has_more: boolean }) => [data.map(({ id }) => id), has_more];
    expect(idsOf(await page("limit=2"))).toEqual([ids.slice(0, 2), true]);
    expect(idsOf(await page(`limit=2&after_id=${ids[1]}`))).toEqual([ids.slice(2, 4), true]);
    expect(idsOf(await page(`limit=2&before_id=${ids[3]}`))).toEqual([ids.slice(1, 3), true]);
    expect(idsOf(await page(`limit=5&before_id=${ids[1]}`))).toEqual([ids.slice(0, 1), false]);
    expect(idsOf(await page(`after_id=${ids.at(-1)}`))).toEqual([[], false]);
  });

  test("refuses to page from a model that the list does not have", async () => {
    expect((await get("/v1/models?after_id=nobody/nothing", headers)).status).toBe(400);
  });
});

describe("the context of a model that a backend runs with a shorter one", () => {
  const CONTEXT = 256;
  const run = (contexts: readonly number[]) =>
    Promise.all(
      contexts.map((context) => server.addUpstream({}, [MODEL], 1, { contextLengths: new Map([[MODEL, context]]) })),
    );

  test("the list of models for OpenAI's and OpenRouter's clients has the context of the backend", async () => {
    await run([CONTEXT]);
    const expected = { context_length: CONTEXT, max_model_len: CONTEXT, top_provider: { context_length: CONTEXT } };
    expect((await get(`/v1/models/${MODEL}`)).body).toMatchObject(expected);
    const { data } = (await get("/v1/models")).body as { data: Listed[] };
    expect(data.find(({ id }) => id === MODEL)).toMatchObject(expected);
  });

  test("the list of models for Anthropic's clients has the context of the backend", async () => {
    await run([CONTEXT]);
    const headers = { "anthropic-version": "2023-06-01" };
    const expected = { max_input_tokens: CONTEXT, max_tokens: CONTEXT };
    expect((await get(`/v1/models/${MODEL}`, headers)).body).toMatchObject(expected);
  });

  test("the list of models has the context of the catalogue if that is shorter than the backend's", async () => {
    const { context_length } = (await get(`/v1/models/${MODEL}`)).body as { context_length: number };
    await run([context_length + 1]);
    expect((await get(`/v1/models/${MODEL}`)).body).toMatchObject({ context_length });
  });

  test("the effective context of the caller is that of the backend, beside the model's own", async () => {
    const { context_length } = (await get(`/v1/models/${MODEL}`)).body as { context_length: number };
    await run([CONTEXT]);
    const contextFor = async (max_context_length: number) => {
      const { token } = await server.signUpOnPlan({ max_context_length });
      return (await server.call(`/api/feather/models/${MODEL}`, { token })).body;
    };
    expect(await contextFor(CONTEXT + 1)).toMatchObject({
      context_length,
      access: { reasons: [], effective_context_length: CONTEXT },
    });
    expect(await contextFor(100)).toMatchObject({
      context_length,
      access: { reasons: ["plan_context"], effective_context_length: 100 },
    });
  });
});

describe("the contract describes both forms of models", () => {
  const { document } = loadContract();
  const schemas = { ...document.components } as { schemas: Record<string, object> };
  const validators = createValidators();
  const compile = (name: string) =>
    validators.forResponse({ $ref: `#/components/schemas/${name}`, components: schemas });

  test.each([
    ["v1.models.list", "/v1/models", "ModelList"],
    ["v1.models.get", `/v1/models/${MODEL}`, "Model"],
  ])("%s answers as one of the two schemas of its response, by the header", async (_operation, path, name) => {
    const [openai, anthropic] = [compile(`OpenAI${name}`), compile(`Anthropic${name}`)];
    const plain = (await get(path)).body;
    expect([openai(plain), anthropic(plain)]).toEqual([true, false]);
    const converted = (await get(path, { "anthropic-version": "2023-06-01" })).body;
    expect([openai(converted), anthropic(converted)]).toEqual([false, true]);
  });

  test.each([
    ["/v1/models", "ModelList"],
    ["/v1/models/{id}", "Model"],
  ])("%s declares both schemas", (path, name) => {
    expect(document.paths[path]).toMatchObject({
      get: {
        responses: {
          200: {
            content: {
              "application/json": {
                schema: {
                  oneOf: [
                    { $ref: `#/components/schemas/OpenAI${name}` },
                    { $ref: `#/components/schemas/Anthropic${name}` },
                  ],
                },
              },
            },
          },
        },
      },
    });
  });
});
