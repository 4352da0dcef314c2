import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf, MODEL } from "../../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../../testing/server.ts";

const QUERY = "What are feathers made of?";
const TEXTS = ["Stones are heavy.", "Feathers are made of keratin.", "Keratin is a protein."];

let server: TestServer;
let caller: Account;

beforeAll(async () => {
  server = await createTestServer();
  caller = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const json = (value: object) => ({ rawAnswer: { contentType: "application/json", body: JSON.stringify(value) } });
const rerank = (body: object = {}) =>
  server.call("/v1/rerank", { token: caller.token, body: { model: MODEL, query: QUERY, documents: TEXTS, ...body } });

/** An answer in the form of llama-server's. */
const SCORED = {
  model: "m",
  object: "list",
  usage: { prompt_tokens: 30, total_tokens: 30 },
  results: [
    { index: 0, relevance_score: -4.5 },
    { index: 1, relevance_score: 6.25 },
    { index: 2, relevance_score: 1 },
  ],
};

describe("calls that order texts", () => {
  test("texts come in the order of their scores, and backends get the query and the texts alone", async () => {
    const upstream = await server.addUpstream(json(SCORED));
    const answer = await rerank({ top_n: null, return_documents: null });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: answer.headers.get("request-id"),
        object: "list",
        model: MODEL,
        results: [
          { index: 1, relevance_score: 6.25 },
          { index: 2, relevance_score: 1 },
          { index: 0, relevance_score: -4.5 },
        ],
        usage: { prompt_tokens: 30, total_tokens: 30 },
      },
    ]);
    expect(upstream.recordedRequests).toMatchObject([{ path: "/v1/rerank" }]);
    expect(upstream.recordedRequests[0]?.body).toEqual({ model: `up:${MODEL}`, query: QUERY, documents: TEXTS });
  });

  test("the best texts alone are returned, with what they say, if that is asked for", async () => {
    await server.addUpstream(json(SCORED));
    const documents = [{ text: TEXTS[0], id: "a" }, ...TEXTS.slice(1)];
    expect((await rerank({ documents, top_n: 1, return_documents: true })).body).toMatchObject({
      results: [{ index: 1, relevance_score: 6.25, document: { text: TEXTS[1] } }],
    });
  });

  test.each([
    ["of vLLM, which counts tokens in all", { results: SCORED.results, usage: { total_tokens: 12 } }, 12],
    ["of Voyage, with other names", { data: SCORED.results, usage: { total_tokens: 9 } }, 9],
    ["with `score`", { results: SCORED.results.map(({ index, relevance_score: score }) => ({ index, score })) }, 24],
    ["of Cohere, without tokens", { results: SCORED.results, meta: { billed_units: { search_units: 1 } } }, 24],
  ])("answers %s are read", async (_form, answer, tokens) => {
    await server.addUpstream(json(answer));
    const { body } = await rerank();
    expect(body).toMatchObject({
      results: [{ index: 1 }, { index: 2 }, { index: 0 }],
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });
  });

  test.each([
    ["scores too few texts", SCORED.results.slice(1)],
    ["scores a text twice", [SCORED.results[0], SCORED.results[0], SCORED.results[1]]],
    ["scores a text that was not sent", [...SCORED.results.slice(1), { index: 3, relevance_score: 1 }]],
    ["has scores that are no numbers", SCORED.results.map(({ index }) => ({ index, relevance_score: "high" }))],
    ["has no list", {}],
  ])("another backend answers when the first one %s", async (_what, results) => {
    await server.addUpstream(json({ results }));
    expect(errorOf((await rerank()).body)).toMatchObject({ code: "upstream_error" });
    await server.addUpstream(json(SCORED));
    expect((await rerank()).status).toBe(200);
  });

  test("a program that orders no texts is named as what lacks it", async () => {
    const message = "This server does not support reranking. Start it with `--reranking`";
    await server.addUpstream({ fault: { kind: "refuse", status: 501, body: { error: { code: 501, message } } } });
    const answer = await rerank();
    expect([answer.status, errorOf(answer.body)]).toMatchObject([
      400,
      { code: "unsupported_parameter", param: "model", message: expect.stringContaining("scores of texts") },
    ]);
  });

  test.each([
    ["no texts", { documents: [] }, "documents"],
    ["an empty text", { documents: ["a", ""] }, "documents"],
    ["a text without its field", { documents: [{ title: "a" }] }, "documents"],
    ["1,001 texts", { documents: Array(1_001).fill("a") }, "documents"],
    ["no query", { query: "" }, "query"],
    ["no results", { top_n: 0 }, "top_n"],
  ])("a call with %s is refused and sends nothing", async (_what, body, field) => {
    const upstream = await server.addUpstream(json(SCORED));
    const answer = await rerank(body);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(field)]);
    expect(upstream.recordedRequests).toEqual([]);
  });

  test("texts that hold more tokens in all than a batch may have are refused", async () => {
    await server.addUpstream(json(SCORED));
    const long = Array(2_000).fill("feather").join(" ");
    const answer = await rerank({ documents: Array(200).fill(long) });
    expect([answer.status, errorOf(answer.body)]).toMatchObject([
      400,
      { param: "documents", details: { max: 300_000 } },
    ]);
  });

  test("a call has a receipt with its kind, its tokens and the units of all its texts", async () => {
    await server.addUpstream(json(SCORED));
    const id = (await rerank()).headers.get("request-id") ?? "";
    await server.usageRow(id);
    expect((await server.call(`/api/usage/requests/${id}`, { token: caller.token })).body).toMatchObject({
      kind: "rerank",
      outcome: "completed",
      prompt_tokens: 30,
      completion_tokens: 0,
    });
  });
});
