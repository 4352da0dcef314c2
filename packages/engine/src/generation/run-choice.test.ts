import { expect, test } from "vitest";
import type { GenerationEvent, GenerationOptions, Prompt } from "../model/engine-model.ts";
import { type Delta, runChoice } from "./run-choice.ts";

const OPTIONS: GenerationOptions = {
  priority: 0,
  sampling: {
    temperature: 0,
    topP: 1,
    topK: 0,
    minP: 0,
    presencePenalty: 0,
    frequencyPenalty: 0,
    repetitionPenalty: 1,
    seed: 1,
    logitBias: new Map(),
  },
  maxTokens: 100,
  minTokens: 0,
  stopTokenIds: [],
  output: { type: "text" },
  topLogprobs: undefined,
};

function promptOf(words: readonly string[], stopTexts: readonly string[] = []) {
  const state = { freed: false };
  async function* generate(): AsyncGenerator<GenerationEvent, void, void> {
    try {
      for (const text of words) {
        yield { type: "text", text, tokenCount: 1, logprobs: [{ text, logprob: -1, top: [] }] };
      }
      yield { type: "end", text: "", reason: "length", completionTokens: words.length };
    } finally {
      state.freed = true;
    }
  }
  const prompt: Prompt = { tokenCount: 3, stopTexts, supportsLogprobs: true, generate };
  return { prompt, state };
}

type Stops = { template?: string[]; caller?: string[]; keep?: boolean; minTokens?: number };

async function run(words: readonly string[], stops: Stops = {}) {
  const { prompt, state } = promptOf(words, stops.template);
  const deltas: Delta[] = [];
  const end = await runChoice({
    prompt,
    options: { ...OPTIONS, minTokens: stops.minTokens ?? 0 },
    stopTexts: stops.caller ?? [],
    keepStopText: stops.keep ?? false,
    signal: new AbortController().signal,
    onDelta: (delta) => void deltas.push(delta),
  });
  const text = deltas.map((delta) => (delta.type === "text" ? delta.text : "")).join("");
  const logprobs = deltas.flatMap((delta) => (delta.type === "text" ? delta.logprobs.map((entry) => entry.text) : []));
  return { end, text, logprobs, state };
}

test("passes on the reply and its end", async () => {
  const { text, end } = await run(["a", "b"]);
  expect(text).toBe("ab");
  expect(end).toEqual({ reason: "length", completionTokens: 2 });
});

test("a stop text ends the generation, counts the tokens so far and frees the sequence", async () => {
  const { text, end, state } = await run(["one", " st", "op", " never"], { caller: [" stop"] });
  expect(text).toBe("one");
  expect(end).toEqual({ reason: "stop", completionTokens: 3 });
  expect(state.freed).toBe(true);
});

test("sends log probabilities with their text and none for a stop text", async () => {
  expect((await run(["one", " st", "op"], { caller: [" stop"] })).logprobs).toEqual(["one"]);
  expect((await run(["one", " st", "ay"], { caller: [" stop"] })).logprobs).toEqual(["one", " st", "ay"]);
});

test("never returns the template's stop text, even if the caller keeps stop texts", async () => {
  const { text, end } = await run(["hi ", "<|end|>", "x"], { template: ["<|end|>"], caller: ["hi there"], keep: true });
  expect(text).toBe("hi ");
  expect(end.reason).toBe("stop");
});

test("keeps the caller's stop text if requested", async () => {
  expect((await run(["a.", "b"], { caller: ["."], keep: true })).text).toBe("a.");
});

test("a stop text within the minimum length does not end the reply, a later one does", async () => {
  const { text, end } = await run(["a.", "b.", "c.", "d"], { caller: ["."], minTokens: 2 });
  expect(text).toBe("a.b.c");
  expect(end).toEqual({ reason: "stop", completionTokens: 3 });
});

test("a stop text after reasoning counts the tokens of both", async () => {
  async function* generate(): AsyncGenerator<GenerationEvent, void, void> {
    yield { type: "reasoning", text: "hm", tokenCount: 4 };
    yield { type: "text", text: "yes.", tokenCount: 1, logprobs: [] };
  }
  const prompt: Prompt = { tokenCount: 3, stopTexts: [], supportsLogprobs: false, generate };
  const signal = new AbortController().signal;
  const end = await runChoice({
    prompt,
    options: OPTIONS,
    stopTexts: ["."],
    keepStopText: false,
    signal,
    onDelta: () => {},
  });
  expect(end).toEqual({ reason: "stop", completionTokens: 5 });
});
