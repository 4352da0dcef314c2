import { formatChunks, formatEvent, parseEvents } from "@feather/testing/chat-events";
import type { UpstreamScript } from "@feather/testing/fake-upstream";
import OpenAI from "openai";
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

const TEXT = "Feathers are light.";
const FILE = new File([Buffer.from("ID3 sound")], "meeting.mp3", { type: "audio/mpeg" });
const TOKENS = { type: "tokens", input_tokens: 14, output_tokens: 5, total_tokens: 19 };
const toDelta = (delta: string) => ({ type: "transcript.text.delta", delta });
const toDone = (usage?: object) => ({ type: "transcript.text.done", text: TEXT, ...(usage && { usage }) });
/** The events of OpenAI's API, which name themselves and end without `[DONE]`. */
const toEvents = (...events: { type: string }[]) =>
  events.map((event) => `event: ${event.type}\n${formatEvent(event)}`).join("");
const stream = (body: string): UpstreamScript => ({ rawAnswer: { contentType: "text/event-stream", body } });
const json = (value: object): UpstreamScript => ({
  rawAnswer: { contentType: "application/json", body: JSON.stringify(value) },
});

function hear(fields: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ model: MODEL, file: FILE, stream: "true", ...fields }))
    body.append(name, value);
  return server.call("/v1/audio/transcriptions", { token: caller.token, body });
}
const eventsOf = ({ text }: { text: string }): unknown[] => parseEvents(text).map((data) => JSON.parse(data));
const rowOf = (answer: { headers: Headers }) => server.usageRow(answer.headers.get("request-id"));

describe("streamed transcriptions", () => {
  test.each([
    ["OpenAI's events", toEvents(toDelta("Feathers are"), toDelta(" light."), toDone(TOKENS)), TOKENS],
    [
      "OpenAI's events, with the length of the sound",
      toEvents(toDelta("Feathers are"), toDelta(" light."), toDone({ type: "duration", seconds: 2 })),
      { type: "duration", seconds: 2 },
    ],
    ["OpenAI's events without counts", toEvents(toDelta("Feathers are"), toDelta(" light."), toDone()), undefined],
    ["vLLM's chunks", `${formatChunks("Feathers are", " light.")}data: [DONE]\n\n`, undefined],
  ])("a streamed transcription comes in OpenAI's events from %s", async (_what, body, usage) => {
    const upstream = await server.addUpstream(stream(body));
    const answer = await hear();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("text/event-stream"),
    ]);
    expect(eventsOf(answer)).toEqual([toDelta("Feathers are"), toDelta(" light."), toDone(usage)]);
    const { file: _, ...fields } = upstream.recordedRequests[0]?.body ?? {};
    expect(fields).toEqual({ model: `up:${MODEL}`, stream: "true" });
  });

  test.each([
    ["a backend that sends the whole text", json({ text: TEXT, usage: { type: "duration", seconds: 2 } })],
    ["a backend whose only event is the last one", stream(toEvents(toDone({ type: "duration", seconds: 2 })))],
  ])("a streamed transcription comes in one piece from %s", async (_what, script) => {
    await server.addUpstream(script);
    expect(eventsOf(await hear())).toEqual([toDelta(TEXT), toDone({ type: "duration", seconds: 2 })]);
  });

  test("the official client reads a streamed transcription", async () => {
    await server.addUpstream(stream(toEvents(toDelta("Feathers are"), toDelta(" light."), toDone(TOKENS))));
    const { secret } = await server.createKey(caller);
    const client = new OpenAI({ apiKey: secret, baseURL: `${server.url}/v1`, maxRetries: 0 });
    const types = [];
    for await (const event of await client.audio.transcriptions.create({ model: MODEL, file: FILE, stream: true }))
      types.push(event.type);
    expect(types).toEqual(["transcript.text.delta", "transcript.text.delta", "transcript.text.done"]);
  });

  test("the receipt of a streamed transcription has the tokens or the seconds that the backend counted, and no estimate", async () => {
    await server.addUpstream(stream(toEvents(toDelta(TEXT), toDone(TOKENS))));
    expect(await rowOf(await hear())).toMatchObject({
      kind: "transcription",
      streamed: true,
      prompt_tokens: 14,
      completion_tokens: 5,
      estimated: false,
    });
    server.removeUpstreams();
    await server.addUpstream(stream(toEvents(toDelta(TEXT), toDone({ type: "duration", seconds: 1.5 }))));
    expect(await rowOf(await hear())).toMatchObject({ prompt_tokens: 0, completion_tokens: 0, audio_ms: 1500 });
  });

  test("a streamed transcription comes from another backend where the first one fails before it begins", async () => {
    await server.addUpstream({ fault: { kind: "refuse", status: 500 } }, [MODEL], 1_000_000);
    await server.addUpstream(stream(toEvents(toDelta(TEXT), toDone())));
    expect(eventsOf(await hear())).toEqual([toDelta(TEXT), toDone()]);
  });

  test("a streamed transcription that breaks off ends with an error and without the last event", async () => {
    await server.addUpstream(stream(toEvents(toDelta("Feathers are"))));
    const events = eventsOf(await hear());
    expect(events).toEqual([toDelta("Feathers are"), { error: expect.objectContaining({ code: "upstream_error" }) }]);
  });

  test("a streamed transcription is refused in a form that has more than the text", async () => {
    const upstream = await server.addUpstream(json({ text: TEXT }));
    const answer = await hear({ response_format: "srt" });
    expect([answer.status, errorOf(answer.body)]).toMatchObject([
      400,
      { code: "unsupported_parameter", param: "stream" },
    ]);
    expect(upstream.recordedRequests).toEqual([]);
  });
});
