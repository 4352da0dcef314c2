import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { errorOf, MODEL } from "../../../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../../../testing/server.ts";

let server: TestServer;
let caller: Account;

beforeAll(async () => {
  server = await createTestServer();
  caller = await server.signUpOnPlan({});
});
afterEach(() => server.removeUpstreams());
afterAll(() => server.close());

const json = (value: object) => ({ rawAnswer: { contentType: "application/json", body: JSON.stringify(value) } });
const classify = (input: unknown) =>
  server.call("/v1/moderations", { token: caller.token, body: { model: MODEL, input } });
const HARMLESS = { flagged: false, categories: { violence: false }, category_scores: { violence: 0.01 } };
const HARMFUL = { flagged: true, categories: { violence: true }, category_scores: { violence: 0.9 } };

describe("calls that classify texts", () => {
  test("each text has its classification, under the model's id of the catalogue", async () => {
    const upstream = await server.addUpstream(json({ id: "modr-1", model: "own", results: [HARMLESS, HARMFUL] }));
    const answer = await classify(["a", "b"]);
    const id = `modr-${answer.headers.get("request-id")}`;
    expect([answer.status, answer.body]).toEqual([200, { id, model: MODEL, results: [HARMLESS, HARMFUL] }]);
    expect(upstream.recordedRequests).toMatchObject([{ path: "/v1/moderations" }]);
    expect(upstream.recordedRequests[0]?.body).toEqual({ model: `up:${MODEL}`, input: ["a", "b"] });
  });

  test.each([
    ["classifies too few texts", [HARMLESS]],
    ["does not say whether a text is harmful", [HARMLESS, { ...HARMFUL, flagged: undefined }]],
    ["has no categories", [HARMLESS, { flagged: true }]],
    ["has no list", undefined],
  ])("an answer that %s is refused as the backend's fault", async (_what, results) => {
    await server.addUpstream(json({ results }));
    expect(errorOf((await classify(["a", "b"])).body)).toMatchObject({ code: "upstream_error" });
  });

  test.each([
    ["no text", ""],
    ["no texts", []],
    ["an empty text", ["a", ""]],
    ["a picture", [{ type: "image_url", image_url: { url: "https://example.com/1.png" } }]],
  ])("a call with %s is refused and sends nothing", async (_what, input) => {
    const upstream = await server.addUpstream(json({ results: [HARMLESS] }));
    expect((await classify(input)).status).toBe(400);
    expect(upstream.recordedRequests).toEqual([]);
  });

  test("the tokens of a call are estimated, since backends count none", async () => {
    await server.addUpstream(json({ results: [HARMLESS] }));
    const id = (await classify("Feathers are light.")).headers.get("request-id") ?? "";
    expect(await server.usageRow(id)).toMatchObject({
      kind: "moderation",
      prompt_tokens: 5,
      completion_tokens: 0,
      estimated: true,
    });
  });
});
