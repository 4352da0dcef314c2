import { describe, expect, test } from "vitest";
import { findModelCall, type ModelCall } from "./model-call.ts";
import { createOtherCallSamples } from "./other-call-samples.ts";

describe("what a model is called for", () => {
  test.each<[string, string[], string[], ModelCall]>([
    ["Qwen/Qwen3-32B", ["chat"], ["text"], "chat"],
    ["Qwen/Qwen2-Audio-7B", [], ["text"], "chat"],
    ["Qwen/Qwen3-Embedding-0.6B", [], ["text"], "embedding"],
    ["acme/vectors", ["embedding"], ["text"], "embedding"],
    ["BAAI/bge-reranker-v2-m3", [], ["text"], "rerank"],
    ["openai/omni-moderation-latest", [], ["text"], "moderation"],
    ["black-forest-labs/FLUX.1-schnell", [], ["text"], "image"],
    ["acme/painter", [], ["image"], "image"],
    ["hexgrad/Kokoro-82M", [], ["text"], "speech"],
    ["acme/reader", [], ["audio"], "speech"],
    ["openai/whisper-large-v3", [], ["text"], "transcription"],
    ["openai/gpt-4o-transcribe", [], ["text"], "transcription"],
  ])("what %s with the tags %j and the output %j is called for is %s", (id, tags, output_modalities, call) => {
    expect(findModelCall({ id, tags, output_modalities })).toBe(call);
  });
});

describe("samples of other calls", () => {
  test.each([
    ["embedding", "/embeddings", "feather embed"],
    ["rerank", "/rerank", "feather rerank"],
    ["moderation", "/moderations", "feather api POST /v1/moderations"],
    ["image", "/images/generations", "feather draw"],
    ["speech", "/audio/speech", "feather speak"],
    ["transcription", "/audio/transcriptions", "feather transcribe"],
  ] as const)("samples of a call for %s go to %s and use %s, with the key where it is known", (call, path, command) => {
    const codes = (key: string | null) =>
      createOtherCallSamples(call, "a/b", "http://host", key).map(({ code }) => code);
    expect(codes(null)[0]).toContain(`curl http://host/v1${path} `);
    expect(codes(null)[3]).toContain(`\n${command} `);
    for (const code of codes("rc_1")) expect(code).toMatch(/rc_1[\s\S]*a\/b/);
    for (const code of codes("rc_1")) expect(code).not.toMatch(/FEATHER_API_KEY\b(?!=)|login|chat/);
    for (const code of codes(null)) expect(code).toMatch(/FEATHER_API_KEY|login/);
  });
});
