import { errorCode } from "@feather/testing/errors";
import type { FakeUpstream } from "@feather/testing/fake-upstream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChatRequest, MODEL } from "../testing/chat.ts";
import { createTestServer, type TestServer } from "../testing/server.ts";

const LONG_PROMPT = "word ".repeat(60_000);

let server: TestServer;
let upstream: FakeUpstream;
beforeAll(async () => {
  server = await createTestServer();
  const { model_class_id } = await server.db
    .updateTable("models")
    .set({ context_length: null })
    .where("id", "=", MODEL)
    .returning("model_class_id")
    .executeTakeFirstOrThrow();
  await server.db.updateTable("model_classes").set({ context_length: null }).where("id", "=", model_class_id).execute();
  server.api.catalogue.callableModels.invalidate();
  upstream = await server.addUpstream({ tokens: ["Hi"] });
});
afterAll(() => server.close());

const request = createChatRequest({ messages: [{ role: "user", content: LONG_PROMPT }], max_tokens: 5 });

test("a long prompt for a model of unknown context length is sent to the backend", async () => {
  const { token } = await server.signUpOnPlan({ max_context_length: null });
  expect((await server.call("/v1/chat/completions", { token, body: request })).status).toBe(200);
  const preflight = await server.call("/v1/preflight", { token, body: { model: MODEL } });
  expect(preflight.body).toMatchObject({ admitted: true, context_length: null });
  const model = await server.call(`/v1/models/${MODEL}`, { token });
  expect(model.body).toMatchObject({ context_length: null, max_model_len: null });
});

test("the plan limits prompts for a model of unknown context length", async () => {
  const { token } = await server.signUpOnPlan({ max_context_length: 1_000 });
  const answer = await server.call("/v1/chat/completions", { token, body: request });
  expect([answer.status, errorCode(answer.body)]).toEqual([403, "plan_context_exceeded"]);
});

test("a model of unknown context length gets no limit on its answer", async () => {
  const { token } = await server.signUpOnPlan({ max_context_length: 262_144 });
  const body = createChatRequest({ max_tokens: undefined });
  expect((await server.call("/v1/chat/completions", { token, body })).status).toBe(200);
  expect(upstream.recordedRequests.at(-1)?.body).not.toHaveProperty("max_tokens");
});
