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
const generate = (body: object = {}) =>
  server.call("/v1/images/generations", {
    token: caller.token,
    body: { model: MODEL, prompt: "A feather on a stone", ...body },
  });
const PICTURES = { created: 1_763_560_862, data: [{ b64_json: "aWNv" }, { url: "https://images.example.com/1.png" }] };

describe("calls that make pictures", () => {
  test("pictures come as files or addresses, and the backend gets the fields of the call", async () => {
    const upstream = await server.addUpstream(json({ ...PICTURES, background: "opaque" }));
    const answer = await generate({
      n: 2,
      size: "1024x1024",
      quality: null,
      response_format: "b64_json",
      user: "user-1",
    });
    expect([answer.status, answer.body]).toEqual([200, PICTURES]);
    expect(upstream.recordedRequests).toMatchObject([{ path: "/v1/images/generations" }]);
    expect(upstream.recordedRequests[0]?.body).toEqual({
      model: `up:${MODEL}`,
      prompt: "A feather on a stone",
      n: 2,
      size: "1024x1024",
      response_format: "b64_json",
      user: "user-1",
    });
  });

  test("tokens are given where the backend counts them, with the text that it changed", async () => {
    const usage = { input_tokens: 12, output_tokens: 1_056, total_tokens: 1_068, input_tokens_details: {} };
    await server.addUpstream(
      json({ ...PICTURES, data: [{ b64_json: "aWNv", revised_prompt: "A white feather" }], usage }),
    );
    expect((await generate()).body).toEqual({
      created: PICTURES.created,
      data: [{ b64_json: "aWNv", revised_prompt: "A white feather" }],
      usage: { input_tokens: 12, output_tokens: 1_056, total_tokens: 1_068 },
    });
  });

  test("no more pictures are returned than were asked for", async () => {
    await server.addUpstream(json(PICTURES));
    expect((await generate()).body).toMatchObject({ data: [{ b64_json: "aWNv" }] });
  });

  test("fields that backends do not take are named, and a stream is one of them", async () => {
    const upstream = await server.addUpstream(json(PICTURES));
    const answer = await generate({ stream: true, partial_images: 2 });
    expect([answer.status, answer.headers.get("x-ignored-params")?.split(/,\s*/).sort()]).toEqual([
      200,
      ["partial_images", "stream"],
    ]);
    expect(upstream.recordedRequests[0]?.body).toEqual({ model: `up:${MODEL}`, prompt: "A feather on a stone" });
  });

  test.each([
    ["no pictures", { data: [] }],
    ["pictures without a file", { data: [{ size: "1024x1024" }] }],
    ["no list", { created: 1 }],
  ])("an answer with %s is refused as the backend's fault", async (_what, answer) => {
    await server.addUpstream(json(answer));
    expect(errorOf((await generate()).body)).toMatchObject({ code: "upstream_error" });
  });

  test.each([
    ["no text", { prompt: "" }, "prompt"],
    ["no pictures", { n: 0 }, "n"],
    ["eleven pictures", { n: 11 }, "n"],
    ["an unknown form", { response_format: "file" }, "response_format"],
  ])("a call for %s is refused and sends nothing", async (_what, body, param) => {
    const upstream = await server.addUpstream(json(PICTURES));
    const answer = await generate(body);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(param)]);
    expect(upstream.recordedRequests).toEqual([]);
  });

  test("a call for two pictures holds the units of two calls, and its receipt has its kind", async () => {
    await server.addUpstream(json(PICTURES));
    const id = (await generate({ n: 2 })).headers.get("request-id") ?? "";
    await server.usageRow(id);
    const { body } = await server.call(`/api/usage/requests/${id}`, { token: caller.token });
    const one = (await generate()).headers.get("request-id") ?? "";
    const units = Number((await server.usageRow(one))?.units);
    expect(body).toMatchObject({ kind: "image", outcome: "completed", completion_tokens: 0, units: 2 * units });
  });
});
