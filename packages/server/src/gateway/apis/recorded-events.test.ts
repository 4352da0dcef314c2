import { readFileSync } from "node:fs";
import { encodeBedrockEvent } from "@feather/testing/fake-bedrock";
import { expect, test } from "vitest";
import { assembleChunks } from "../formats/assembled.ts";
import { createChunkReader } from "../formats/chunks.ts";
import type { ApiName } from "./api.ts";
import { APIS } from "./apis.ts";

const RECORDINGS = new URL("../../../../testing/recordings/apis/", import.meta.url);
const META = { id: "c1", created: 1, model: "a/b" };

/** Reads the bytes of a stream as an answer to a chat. */
function readStream(api: ApiName, bytes: Buffer) {
  const reader = createChunkReader("chat", META, APIS[api].createEventReader("chat"));
  const events = APIS[api].streamFormat.createParser().push(bytes);
  const chunks = events.flatMap(({ data, event }) => reader.read(data, event) ?? []);
  return { chunks: [...chunks, ...reader.end()], state: reader.state };
}

function readRecording(api: ApiName, name: string) {
  if (api !== "bedrock") return readStream(api, readFileSync(new URL(`${api}-${name}.sse`, RECORDINGS)));
  const lines = readFileSync(new URL(`${api}-${name}.jsonl`, RECORDINGS), "utf8")
    .trim()
    .split("\n");
  return readStream(api, Buffer.concat(lines.map((line) => encodeBedrockEvent(JSON.parse(line)))));
}

/** Returns the bytes of an event of a stream. */
function toBytes(api: ApiName, data: string): Buffer {
  return api === "bedrock" ? encodeBedrockEvent(JSON.parse(data)) : Buffer.from(`data: ${data}\n\n`);
}

test.each(["anthropic", "gemini", "bedrock"] as const)("a text in the form of the reference of %s is read", (api) => {
  const { chunks, state } = readRecording(api, "text");
  expect(assembleChunks(chunks).choices).toMatchObject([{ message: { content: "Hello!" }, finish_reason: "stop" }]);
  expect(state).toMatchObject({ finished: true, failed: false, usage: { prompt: 25, completion: 15 } });
});

test.each(["anthropic", "gemini", "bedrock"] as const)(
  "thoughts and calls in the form of the reference of %s are read",
  (api) => {
    const { chunks, state } = readRecording(api, "tools");
    expect(assembleChunks(chunks).choices).toMatchObject([
      {
        finish_reason: "tool_calls",
        message: {
          reasoning_content: "Two places.",
          content: "Let me see.",
          tool_calls: [
            { function: { name: "weather", arguments: expect.stringMatching(/^\{"city": ?"Oslo"\}$/) } },
            { function: { name: "now", arguments: "{}" } },
          ],
        },
      },
    ]);
    expect(state.usage).toMatchObject({ prompt: 572, completion: 89, cached: 100 });
    expect(JSON.stringify(chunks)).toContain("c2ln");
  },
);

test.each(["anthropic", "gemini", "bedrock"] as const)(
  "an error in the middle of a stream of %s fails the answer",
  (api) => {
    const { chunks, state } = readRecording(api, "error");
    expect(chunks).not.toEqual([]);
    expect(state).toMatchObject({ finished: false, failed: true, reportedError: { message: expect.any(String) } });
  },
);

test.each([
  ["anthropic", '{"type":"a new kind of event"}'],
  ["anthropic", '{"type":"content_block_delta","index":0,"delta":{"type":"a new kind of delta"}}'],
  ["gemini", '{"modelVersion":"x"}'],
  ["gemini", '{"usageMetadata":{"promptTokenCount":1}}'],
  ["bedrock", '{"aNewKindOfEvent":{}}'],
  ["bedrock", '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"aNewKindOfDelta":{}}}}'],
] as const)("an event of %s that says nothing for callers is passed over: %s", (api, data) => {
  expect(readStream(api, toBytes(api, data))).toMatchObject({ chunks: [], state: { failed: false } });
});

test.each(["[]", "1", "{", '"text"'])("an event of another API that is no object fails the answer: %s", (data) => {
  expect(readStream("anthropic", toBytes("anthropic", data)).state.failed).toBe(true);
});
