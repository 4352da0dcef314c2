import { streamedText } from "@feather/testing/chat-events";
import type { UpstreamFault } from "@feather/testing/fake-upstream";
import { waitFor } from "@feather/testing/wait-for";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createChatRequest, errorOf, LARGE_MODEL, MODEL } from "../testing/chat.ts";
import { type Account, createTestServer, type TestServer } from "../testing/server.ts";

const OTHER = "Qwen/Qwen3-0.6B";
const refused = (status: number, message: string): UpstreamFault => ({
  kind: "refuse",
  status,
  body: { error: { message } },
});

let server: TestServer;
let open: Account;

beforeAll(async () => {
  server = await createTestServer({ env: { FEATHER_FIRST_BYTE_TIMEOUT: "1", FEATHER_STREAM_IDLE_TIMEOUT: "1" } });
  open = await server.signUpOnPlan({});
});
afterEach(async () => {
  await server.removeUpstreams();
  await waitFor(() => expect(server.api.gateway.units.totalInUse()).toBe(0));
});
afterAll(() => server.close());

const chat = (more: object = {}, token = open.token, headers: Record<string, string> = {}) =>
  server.call("/v1/chat/completions", { token, headers, body: createChatRequest({ models: [OTHER], ...more }) });
const passedOver = ({ headers }: { headers: Headers }) => headers.get("x-models-passed-over");
const modelOf = ({ body }: { body: unknown }) => (body as { model: string }).model;
const rowsOf = async (id: string | null) => {
  await server.api.gateway.usageWriter.flush();
  return server.db.selectFrom("requests").selectAll().where("id", "=", String(id)).execute();
};

describe("a call of several models is answered by the next one", () => {
  test.each<[string, UpstreamFault, string]>([
    ["fails", refused(500, "broken"), "upstream_error"],
    ["resets the connection", { kind: "reset", after: 0 }, "upstream_error"],
    ["does not begin to answer in time", { kind: "stall", after: 0 }, "upstream_timeout"],
    ["is at its limit", refused(429, "slow down"), "rate_limit_exceeded"],
    ["is full", refused(503, "full"), "capacity_exhausted"],
    ["is loading the model", refused(503, "loading model"), "model_loading"],
    ["finds the prompt too long", refused(400, "maximum context length is 4"), "context_length_exceeded"],
    ["refuses the content", refused(400, "blocked by the content_filter"), "content_refused"],
  ])("when the backend of the first model %s", async (_what, fault, reason) => {
    await server.addUpstream({ fault }, [MODEL]);
    await server.addUpstream({}, [OTHER]);
    const answer = await chat();
    expect([answer.status, modelOf(answer)]).toEqual([200, OTHER]);
    expect(passedOver(answer)).toBe(`${MODEL}=${reason}`);
    expect(await rowsOf(answer.headers.get("request-id"))).toMatchObject([
      { model_id: OTHER, outcome: "completed", backend: "fake-2", passed_over: [{ model: MODEL, reason }] },
    ]);
  });

  test("when no backend runs the first model", async () => {
    await server.addUpstream({}, [OTHER]);
    const answer = await chat();
    expect([modelOf(answer), passedOver(answer)]).toEqual([OTHER, `${MODEL}=capacity_exhausted`]);
  });

  test("in a stream, whose chunks name the model that answers", async () => {
    await server.addUpstream({ fault: refused(500, "broken") }, [MODEL]);
    await server.addUpstream({}, [OTHER]);
    const answer = await chat({ stream: true });
    expect(streamedText(answer.text)).toBe("Hello!");
    expect(answer.text).toContain(`"model":"${OTHER}"`);
    expect(answer.text).not.toContain(MODEL);
  });

  test.each([
    ["/v1/completions", { prompt: "Hello" }],
    ["/v1/responses", { input: "Hello" }],
    ["/v1/messages", { max_tokens: 5, messages: [{ role: "user", content: "Hello" }] }],
    ["/v1/chat/completions", { messages: [{ role: "user", content: "Hello" }] }],
  ])("at %s, also without the field model", async (path, body) => {
    await server.addUpstream({ fault: refused(500, "broken") }, [MODEL]);
    const other = await server.addUpstream({}, [OTHER]);
    const answer = await server.call(path, { token: open.token, body: { ...body, models: [MODEL, OTHER] } });
    expect([answer.status, modelOf(answer)]).toEqual([200, OTHER]);
    expect(other.recordedRequests[0]?.body).not.toHaveProperty("models");
    expect(answer.headers.get("x-ignored-params")).toBeNull();
  });
});

describe("a call of several models passes over a fallback", () => {
  test("that lacks tools, and names it", async () => {
    const tools = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }];
    await server.addUpstream({ fault: refused(500, "broken") }, [MODEL]);
    await server.addUpstream({ fault: refused(400, "the model does not support tools") }, [OTHER]);
    await server.addUpstream({}, [LARGE_MODEL]);
    const answer = await chat({ models: [OTHER, LARGE_MODEL], tools });
    expect(modelOf(answer)).toBe(LARGE_MODEL);
    expect(passedOver(answer)).toBe(`${MODEL}=upstream_error, ${OTHER}=unsupported_parameter`);
  });

  test("that reads no pictures", async () => {
    const input_modalities = ["text", "image"];
    await server.db.updateTable("models").set({ input_modalities }).where("id", "in", [MODEL, LARGE_MODEL]).execute();
    server.api.catalogue.callableModels.invalidate();
    await server.addUpstream({ fault: refused(500, "broken") }, [MODEL]);
    await server.addUpstream({}, [OTHER, LARGE_MODEL]);
    const content = [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBOR" } }];
    const answer = await chat({ models: [OTHER, LARGE_MODEL], messages: [{ role: "user", content }] });
    expect(passedOver(answer)).toBe(`${MODEL}=upstream_error, ${OTHER}=unsupported_modality`);
    expect(modelOf(answer)).toBe(LARGE_MODEL);
  });

  test("that the caller's key may not call", async () => {
    const key = await server.createKey(open, { allowed_models: [MODEL, LARGE_MODEL] });
    await server.addUpstream({ fault: refused(500, "broken") }, [MODEL]);
    await server.addUpstream({}, [OTHER, LARGE_MODEL]);
    const answer = await chat({ models: [OTHER, LARGE_MODEL] }, key.secret);
    expect(passedOver(answer)).toBe(`${MODEL}=upstream_error, ${OTHER}=key_scope_denied`);
    expect(modelOf(answer)).toBe(LARGE_MODEL);
  });

  test("that does not exist, and gets the error of the first model if no other one is left", async () => {
    await server.addUpstream({ fault: refused(500, "broken") }, [MODEL]);
    const answer = await chat({ models: ["nobody/none"] });
    expect([answer.status, errorOf(answer.body).code]).toEqual([502, "upstream_error"]);
    expect(passedOver(answer)).toBe(`${MODEL}=upstream_error, nobody/none=model_not_found`);
    expect(await rowsOf(answer.headers.get("request-id"))).toMatchObject([{ model_id: MODEL, outcome: "failed" }]);
  });
});

describe("a call of several models does not try the next one", () => {
  test("when the request is not valid", async () => {
    await server.addUpstream({ fault: refused(400, "bad seed") }, [MODEL]);
    const other = await server.addUpstream({}, [OTHER]);
    const answer = await chat();
    expect([answer.status, errorOf(answer.body).code]).toEqual([400, "invalid_request"]);
    expect(other.recordedRequests).toEqual([]);
  });

  test("when the caller may not call the first model, or it does not exist", async () => {
    await server.addUpstream({}, [OTHER]);
    const key = await server.createKey(open, { allowed_models: [OTHER] });
    expect(errorOf((await chat({}, key.secret)).body).code).toBe("key_scope_denied");
    expect(errorOf((await chat({ model: "nobody/none" })).body).code).toBe("model_not_found");
  });

  test("when the stream breaks after its first byte, which the stream says", async () => {
    await server.addUpstream({ fault: { kind: "reset", after: 1 } }, [MODEL]);
    const other = await server.addUpstream({}, [OTHER]);
    const answer = await chat({ stream: true });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"error"');
    expect(answer.text).not.toContain("[DONE]");
    expect(other.recordedRequests).toEqual([]);
  });

  test("when its limits of the day are used up", async () => {
    const limited = await server.signUpOnPlan({ daily_request_limit: 1 });
    await server.addUpstream({ fault: refused(500, "broken") }, [MODEL]);
    const other = await server.addUpstream({}, [OTHER]);
    expect(modelOf(await chat({}, limited.token))).toBe(OTHER); // counts once
    const answer = await chat({}, limited.token);
    expect([answer.status, errorOf(answer.body).code]).toEqual([429, "rate_limit_exceeded"]);
    expect(other.recordedRequests).toHaveLength(1);
  });
});

test("a call of several models gets the error of the last one that was asked", async () => {
  await server.addUpstream({ fault: refused(500, "broken") }, [MODEL]);
  await server.addUpstream({ fault: refused(429, "slow down") }, [OTHER]);
  const answer = await chat();
  expect([answer.status, errorOf(answer.body).code]).toEqual([429, "rate_limit_exceeded"]);
  expect(await rowsOf(answer.headers.get("request-id"))).toMatchObject([
    { model_id: OTHER, outcome: "failed", passed_over: [{ model: MODEL, reason: "upstream_error" }] },
  ]);
});

test("a call of several models that names one twice tries it once", async () => {
  const first = await server.addUpstream({ fault: refused(400, "maximum context length is 4") }, [MODEL]);
  await chat({ models: [MODEL.toUpperCase(), MODEL] });
  expect(first.recordedRequests).toHaveLength(1);
});

test("rejects a call that names no model, and one with an empty list of models", async () => {
  const bodies = [{ model: undefined, models: undefined }, { models: [] }];
  for (const body of bodies) expect((await chat(body)).status).toBe(400);
});

test("a metered call of several models is charged for the one that answers, and keeps no credits reserved", async () => {
  const { token, organizationId } = await server.signUpOnPlan({ billing_mode: "request_pricing" });
  await server.addUpstream({ fault: refused(500, "broken") }, [MODEL]);
  await server.addUpstream({}, [OTHER]);
  const topUp = { kind: "top_up", description: "Top-up", reference: "test:fallbacks" } as const;
  await server.api.credits.credits.grant(organizationId, 1_000_000_000n, topUp);
  const answer = await chat({}, token);
  expect(answer.status, answer.text).toBe(200);
  const rows = await rowsOf(answer.headers.get("request-id"));
  expect(rows).toMatchObject([{ model_id: OTHER, billing_mode: "request_pricing" }]);
  const reserved = await server.db
    .selectFrom("credit_reservations")
    .select("request_id")
    .where("organization_id", "=", organizationId)
    .execute();
  expect(reserved).toEqual([]);
});
