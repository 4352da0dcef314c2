import { MODEL_TIMEOUT_MS, toWaitHeaders } from "../../chat/answer.ts";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalNumber, parseNumberBetween } from "../../flags.ts";
import { readAll } from "../../input.ts";

/** Options of `feather embed`. */
export type EmbedOptions = {
  readonly model: string;
  /** The text; empty for stdin. */
  readonly text: string;
  readonly dimensions?: number;
  /** Seconds to wait for free units. */
  readonly queue?: number;
};

const MAX_DIMENSIONS = 100_000;
/** How many numbers of a vector a terminal shows. A program that reads a pipe gets all of them. */
const MAX_NUMBERS_SHOWN = 8;

/** Prints the vector of a text as a JSON array on stdout; at a terminal its beginning, and its size on stderr. */
export const embed: Command<EmbedOptions> = {
  name: "embed",
  summary: "Turn a text into a vector",
  description: "Prints the vector as a JSON array, at a terminal its beginning; with --json, the whole response.",
  arguments: [{ name: "[text...]", summary: "the text; stdin if left out" }],
  prints: "json",
  needs: "sign-in",
  flags: [
    { name: "-m, --model <id>", summary: "a model that makes embeddings", values: "models" },
    {
      name: "--dimensions <number>",
      summary: "length of the vector, where the model can choose it",
      parse: parseNumberBetween(1, MAX_DIMENSIONS, true),
    },
    { name: "--queue <seconds>", summary: "wait for free units, at most 600", parse: parseNumberBetween(0, 600, true) },
  ],
  examples: [
    'feather embed -m Qwen/Qwen3-Embedding-0.6B "Feathers are light."',
    "feather embed -m Qwen/Qwen3-Embedding-0.6B --jq .usage.total_tokens < notes.txt",
  ],
  options(args, flags) {
    if (typeof flags.model !== "string")
      throw new UsageError("a model is missing", "-m <model>; feather models list --search embedding");
    return {
      model: flags.model,
      text: args.join(" "),
      ...optionalNumber("dimensions", flags.dimensions),
      ...optionalNumber("queue", flags.queue),
    };
  },
  async run({ client, io, output, signal }, { model, text, dimensions, queue }) {
    const input = text === "" && io.stdin.isTTY !== true ? (await readAll(io.stdin)).trimEnd() : text;
    if (input === "") throw new UsageError("there is no text", `feather embed -m ${model} "a text", or text on stdin`);
    const body = { model, input, ...(dimensions !== undefined && { dimensions }) };
    const limits = { signal, timeout: MODEL_TIMEOUT_MS, headers: toWaitHeaders(queue === undefined ? {} : { queue }) };
    const response = await (await client()).embeddings.create(body, limits);
    if (output.json) {
      output.printJson(response);
      return;
    }
    const vector = response.data[0]?.embedding ?? [];
    const isLong = output.mode === "human" && vector.length > MAX_NUMBERS_SHOWN;
    output.print(isLong ? `[${vector.slice(0, MAX_NUMBERS_SHOWN)},…]` : JSON.stringify(vector));
    output.hint(`${vector.length} dimensions, ${response.usage.prompt_tokens} tokens`);
    if (isLong) output.hint("All of them come in a pipe, or with --json.");
  },
};
