import { MODEL_TIMEOUT_MS, toWaitHeaders } from "../../chat/answer.ts";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalNumber, parseNumberBetween } from "../../flags.ts";
import { readAll } from "../../input.ts";

/** Options of `feather rerank`. */
export type RerankOptions = {
  readonly model: string;
  readonly query: string;
  /** The texts; empty for the lines of stdin. */
  readonly texts: readonly string[];
  /** The number of texts to print; all by default. */
  readonly top?: number;
  /** Seconds to wait for free units. */
  readonly queue?: number;
};

const MAX_TEXTS = 1_000;

/** Prints texts in the order in which they answer a query, the best first, with their scores. */
export const rerank: Command<RerankOptions> = {
  name: "rerank",
  summary: "Order texts by how well they answer a query",
  description: "Prints each text after its score, the best first; with --json, the whole response.",
  arguments: [
    { name: "<query>", summary: "what the texts are compared with" },
    { name: "[text...]", summary: "the texts; the lines of stdin if left out" },
  ],
  prints: "json",
  needs: "sign-in",
  flags: [
    { name: "-m, --model <id>", summary: "a model that orders texts", values: "models" },
    {
      name: "--top <number>",
      summary: "print only the best ones",
      parse: parseNumberBetween(1, MAX_TEXTS, true),
    },
    { name: "--queue <seconds>", summary: "wait for free units, at most 600", parse: parseNumberBetween(0, 600, true) },
  ],
  examples: [
    'feather rerank -m Qwen/Qwen3-Reranker-0.6B "What are feathers made of?" "Stones are heavy." "Feathers are keratin."',
    'feather rerank -m Qwen/Qwen3-Reranker-0.6B --top 3 "how to log in" < questions.txt',
  ],
  options(args, flags) {
    const [query = "", ...texts] = args;
    if (typeof flags.model !== "string")
      throw new UsageError("a model is missing", "-m <model>; feather models list --search rerank");
    return {
      model: flags.model,
      query,
      texts,
      ...optionalNumber("top", flags.top),
      ...optionalNumber("queue", flags.queue),
    };
  },
  async run({ client, io, output, signal }, { model, query, texts, top, queue }) {
    const documents = texts.length === 0 && io.stdin.isTTY !== true ? toLines(await readAll(io.stdin)) : texts;
    if (documents.length === 0)
      throw new UsageError("there are no texts", `feather rerank -m ${model} "a query" "a text", or lines on stdin`);
    const limits = { signal, timeout: MODEL_TIMEOUT_MS, headers: toWaitHeaders(queue === undefined ? {} : { queue }) };
    const body = { model, query, documents: [...documents], ...(top !== undefined && { top_n: top }) };
    const response = await (await client()).rerank.create(body, limits);
    if (output.json) {
      output.printJson(response);
      return;
    }
    for (const { index, relevance_score: score } of response.results)
      output.print(`${score.toPrecision(3)}\t${documents[index] ?? ""}`);
    output.hint(`${response.usage.prompt_tokens} tokens`);
  },
};

const toLines = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");
