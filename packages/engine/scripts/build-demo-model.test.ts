import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EngineModel, GenerationOptions, Sampling } from "../src/model/engine-model.ts";
import { loadLlamaModel } from "../src/model/llama/load.ts";
import { createTemporaryFolder } from "../src/testing/engine-process.ts";
import { writeDemoModel } from "./build-demo-model.ts";
import { STEPS } from "./demo-model/sentences.ts";

const folder = createTemporaryFolder();
const path = join(folder.path, "demo.gguf");
let model: EngineModel;

beforeAll(async () => {
  writeDemoModel(path);
  model = await loadLlamaModel({ path, contextLength: undefined, sequences: 4, threads: undefined, log: () => {} });
});
afterAll(async () => {
  await model.close();
  folder[Symbol.dispose]();
});

const GREEDY: Sampling = {
  temperature: 0,
  topP: 1,
  topK: 0,
  minP: 0,
  presencePenalty: 0,
  frequencyPenalty: 0,
  repetitionPenalty: 1,
  seed: 0,
  logitBias: new Map(),
};

async function reply(text: string, sampling: Partial<Sampling>) {
  const prompt = model.promptFromChat({
    turns: [{ role: "user", text }],
    tools: [],
    toolChoice: "auto",
    parallelToolCalls: true,
    skipsThought: false,
    templateValues: {},
  });
  const options: GenerationOptions = {
    priority: 0,
    sampling: { ...GREEDY, ...sampling },
    maxTokens: 200,
    minTokens: 0,
    stopTokenIds: [],
    output: { type: "text" },
    topLogprobs: undefined,
  };
  const result = { text: "", reason: "", tokens: 0 };
  for await (const event of prompt.generate(options, new AbortController().signal)) {
    if (event.type === "text" || event.type === "end") result.text += event.text;
    if (event.type === "end") Object.assign(result, { reason: event.reason, tokens: event.completionTokens });
  }
  return result;
}

test("the greedy reply is the main variant of every step, whatever the message", async () => {
  const main = STEPS.map(([variant]) => variant).join(" ");
  const messages = ["Hello", "?", "Was ist das? äöü 👋", "x".repeat(500), "What is the capital of France? ".repeat(10)];
  for (const message of messages) expect((await reply(message, {})).text).toBe(main);
});

test("200 seeds at temperature 1 end within 120 tokens with whole sentences in several variants", async () => {
  const speeches = new Set<string>();
  const seeds = Array.from({ length: 200 }, (_, seed) => seed);
  for (const { text, reason, tokens } of await Promise.all(
    seeds.map((seed) => reply("Hello", { temperature: 1, seed })),
  )) {
    expect(reason).toBe("stop");
    expect(tokens).toBeLessThanOrEqual(120);
    let rest = text;
    for (const variants of STEPS) {
      const said = variants.find((variant) => rest.startsWith(variant));
      expect(said, text).toBeDefined();
      rest = rest.slice((said ?? "").length).trimStart();
    }
    expect(rest).toBe("");
    speeches.add(text);
  }
  expect(speeches.size).toBeGreaterThan(40);
});

test("a high temperature does not break the sentences", async () => {
  const { text } = await reply("Hello", { temperature: 2, seed: 5 });
  expect(text).toMatch(/^[A-Z].*\.$/);
});

test("a second run keeps the file, and a new recipe or a missing file writes it again", () => {
  const before = readFileSync(path);
  expect(writeDemoModel(path)).toBe(false);
  writeFileSync(`${path}.version`, "an older recipe");
  expect(writeDemoModel(path)).toBe(true);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(statSync(path).size).toBeLessThan(5 * 1024 * 1024);
});
