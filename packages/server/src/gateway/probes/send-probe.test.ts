import { createTestClock } from "@feather/testing/clock";
import { ANTHROPIC_KEY, startFakeAnthropic } from "@feather/testing/fake-anthropic";
import { GEMINI_KEY, startFakeGemini } from "@feather/testing/fake-gemini";
import { type FakeUpstream, startFakeUpstream, type UpstreamScript } from "@feather/testing/fake-upstream";
import { afterEach, expect, test } from "vitest";
import { type BackendSpec, createBackendRegistry } from "../backends/registry.ts";
import { type ProbeBody, sendProbe } from "./send-probe.ts";

const LIMITS = { totalMs: 60_000, idleMs: 60_000 };
const TOOL = { type: "function", function: { name: "get_weather", parameters: { type: "object", properties: {} } } };
const HELLO: ProbeBody = { messages: [{ role: "user", content: "Hello" }], max_tokens: 16, temperature: 0 };

const registry = createBackendRegistry(createTestClock());
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { name } of registry.list()) registry.remove(name);
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function startUpstream(script: UpstreamScript): Promise<FakeUpstream> {
  const upstream = await startFakeUpstream(script);
  opened.push(upstream);
  addBackend({ baseUrl: upstream.baseUrl });
  return upstream;
}

function addBackend(spec: Pick<BackendSpec, "baseUrl"> & Partial<BackendSpec>): void {
  registry.set({
    name: "probed",
    source: "settings",
    weight: 1,
    models: new Map([["acme/model", "its-name"]]),
    ...spec,
  });
}

function probe(body: Partial<ProbeBody> = {}, limits = LIMITS, signal = new AbortController().signal) {
  const [backend] = registry.list();
  if (!backend) throw new Error("no backend");
  return sendProbe(registry, { backend, modelKey: "acme/model", body: { ...HELLO, ...body }, signal, limits });
}

test("an answer has its joined text, its tokens and its times", async () => {
  await startUpstream({ usage: { prompt_tokens: 9, completion_tokens: 3 } });
  const result = await probe();
  expect(result).toMatchObject({
    kind: "answer",
    answer: { text: "Hello!", tokens: 3, finishReason: "stop", tools: [], usage: { prompt: 9 } },
  });
});

test("a stream that stalls is no result", async () => {
  const upstream = await startUpstream({ fault: { kind: "stall", after: 1 } });
  expect(await probe({}, { totalMs: 60_000, idleMs: 20 })).toEqual({
    kind: "failed",
    reason: "The backend stopped in the middle of the answer.",
  });
  expect(upstream.recordedRequests).toHaveLength(1);
});

test.each(["no finish reason", "error event", "half frame"] as const)("a stream with %s is no result", async (kind) => {
  await startUpstream({ fault: kind === "no finish reason" ? { kind } : { kind, after: 2 } });
  expect(await probe()).toEqual({ kind: "failed", reason: "It broke off before its answer was complete." });
});

test("a backend that never answers is no result", async () => {
  await startUpstream({ fault: { kind: "stall", after: 0 } });
  expect(await probe({}, { totalMs: 20, idleMs: 60_000 })).toEqual({
    kind: "failed",
    reason: "It gave no complete answer within 0.02 s.",
  });
});

test.each([401, 402, 429, 500, 503])("status %s says nothing about the model", async (status) => {
  await startUpstream({ fault: { kind: "refuse", status } });
  expect(await probe()).toEqual({ kind: "failed", reason: `It answered with status ${status}.` });
});

test.each([
  ["This model does not support tools.", "refused"],
  ["API key not valid.", "failed"],
  ["Your credit balance is too low.", "failed"],
  ["Not available in your country.", "failed"],
])("status 400 with the words %s is %s", async (message, kind) => {
  await startUpstream({ fault: { kind: "refuse", status: 400, body: { error: { message } } } });
  expect((await probe()).kind).toBe(kind);
});

test("a field that the program passes over is a refusal, and nothing is sent", async () => {
  const upstream = await startUpstream({});
  addBackend({ baseUrl: upstream.baseUrl, program: "ollama" });
  expect(await probe({ tool_choice: "required" })).toMatchObject({
    kind: "refused",
    reason: "What runs it does not take tool_choice.",
  });
  expect(upstream.recordedRequests).toEqual([]);
});

test("a model that takes another limit and no temperature gets the call as it takes it", async () => {
  const refuse = (message: string) => ({
    fault: { kind: "refuse" as const, status: 400, body: { error: { message } } },
  });
  const upstream = await startUpstream({
    reply: (body) =>
      "max_tokens" in body
        ? refuse("Use 'max_completion_tokens' instead.")
        : "temperature" in body
          ? refuse("'temperature' does not support 0.")
          : {},
  });
  expect((await probe()).kind).toBe("answer");
  expect(upstream.recordedRequests.at(-1)?.body).toMatchObject({ max_completion_tokens: 16, stream: true });
});

test("a call that is stopped ends at once", async () => {
  await startUpstream({ fault: { kind: "stall", after: 0 } });
  const stop = new AbortController();
  const result = probe({}, LIMITS, stop.signal);
  stop.abort();
  expect(await result).toEqual({ kind: "stopped" });
});

test("a tool call of Anthropic's API is read like one of OpenAI's", async () => {
  const backend = await startFakeAnthropic({
    content: [{ type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Paris" } }],
    stopReason: "tool_use",
  });
  opened.push(backend);
  addBackend({ baseUrl: backend.baseUrl, api: "anthropic", program: "anthropic", apiKey: ANTHROPIC_KEY });
  const result = await probe({ tools: [TOOL] });
  expect(result).toMatchObject({ kind: "answer", answer: { tools: [{ name: "get_weather" }] } });
  expect(result.kind === "answer" && JSON.parse(result.answer.tools[0]?.arguments ?? "")).toEqual({ city: "Paris" });
});

test("a text of Gemini's API is read like one of OpenAI's", async () => {
  const backend = await startFakeGemini({ parts: [{ text: "Orange" }] });
  opened.push(backend);
  addBackend({ baseUrl: backend.baseUrl, api: "gemini", program: "gemini", apiKey: GEMINI_KEY });
  expect(await probe()).toMatchObject({ kind: "answer", answer: { text: "Orange", usage: { prompt: 40 } } });
});
