import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { collect, optionalNumber, optionalText, parseNumberBetween, repeatedTexts } from "../../flags.ts";
import { readAll } from "../../input.ts";
import { createStreamStyle } from "../../output/io.ts";
import { sanitize } from "../../output/sanitize.ts";
import {
  type AnswerPiece,
  type AnswerRequest,
  formatStats,
  type Message,
  type Picture,
  type SamplingOptions,
  streamAnswer,
  toQueueHeaders,
  toRequestBody,
} from "./answer.ts";
import { findDefaultModel, GUIDE_MODEL_ID, GUIDE_NOTICE } from "./default-model.ts";
import { readFilePart } from "./files.ts";
import { loadPicture, requireImageSupport } from "./pictures.ts";

/** Options of `feather chat`. */
export type ChatOptions = {
  readonly model?: string;
  readonly system?: string;
  readonly prompt: string;
  /** Text files to send with the prompt. */
  readonly files: readonly string[];
  /** Pictures to send with it: paths or URLs. */
  readonly images: readonly string[];
  readonly sampling: SamplingOptions;
  readonly stream: boolean;
  readonly queue?: number;
};

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** Talks to a model: answers once when there is a prompt, and starts a conversation otherwise. */
export const chat: Command<ChatOptions> = {
  name: "chat",
  summary: "Talk to a model",
  arguments: [{ name: "[prompt...]", summary: "what to say; stdin goes before it" }],
  prints: "json",
  needs: "sign-in",
  flags: [
    {
      name: "-m, --model <id>",
      summary: "model; if left out, one that answers now, else feather/guide, which knows Feather only",
      values: "models",
    },
    { name: "-s, --system <text>", summary: "instructions for the model" },
    {
      name: "--temperature <number>",
      summary: "0 to 2; 0 takes the likeliest token",
      parse: parseNumberBetween(0, 2, false),
    },
    { name: "--top-p <number>", summary: "0 to 1; 1 is off", parse: parseNumberBetween(0, 1, false) },
    { name: "--max-tokens <number>", summary: "longest answer", parse: parseNumberBetween(1, UNBOUNDED, true) },
    {
      name: "--seed <number>",
      summary: "makes answers repeatable",
      parse: parseNumberBetween(-UNBOUNDED, UNBOUNDED, true),
    },
    { name: "--queue <seconds>", summary: "wait for free units, at most 600", parse: parseNumberBetween(0, 600, true) },
    {
      name: "-f, --file <path>",
      summary: "a text file to send along; may be given often",
      parse: collect,
      values: "files",
    },
    {
      name: "-i, --image <path>",
      summary: "a picture to send along, as a file or an address; may be given often",
      parse: collect,
      values: "files",
    },
    { name: "--no-stream", summary: "print the answer when it is complete" },
  ],
  examples: [
    "feather chat",
    'feather chat -m Qwen/Qwen3-32B "why do feathers insulate?"',
    'feather chat -f error.log "What went wrong?"',
    'feather chat -m Qwen/Qwen2.5-VL-7B-Instruct --image bird.png "What kind of bird is this?"',
    'git diff --staged | feather chat "Write a commit message." > msg',
  ],
  options: (args, flags) => ({
    ...optionalText("model", flags.model),
    ...optionalText("system", flags.system),
    prompt: args.join(" "),
    files: repeatedTexts(flags.file),
    images: repeatedTexts(flags.image),
    sampling: {
      ...optionalNumber("temperature", flags.temperature),
      ...optionalNumber("seed", flags.seed),
      ...(typeof flags.topP === "number" && { top_p: flags.topP }),
      ...(typeof flags.maxTokens === "number" && { max_tokens: flags.maxTokens }),
    },
    stream: flags.stream !== false,
    ...optionalNumber("queue", flags.queue),
  }),
  async run(context, options) {
    const pipedText = context.io.stdin.isTTY === true ? "" : (await readAll(context.io.stdin)).trimEnd();
    const files = await Promise.all(options.files.map(readFilePart));
    const prompt = [...files, pipedText, options.prompt].filter((part) => part !== "").join("\n\n");
    if (prompt === "" && options.images.length > 0)
      throw new UsageError(
        "there is no prompt that goes with the picture",
        'feather chat --image bird.png "Which bird?"',
      );
    if (prompt === "") await startConversation(context, options);
    else await answerOnce(context, options, prompt);
  },
};

/** Returns the model given or the default one. At a terminal, explains the guide when it is the default. */
async function resolveModel(
  { io, flags, output, signal }: Context,
  client: Feather,
  modelId?: string,
): Promise<string> {
  const model = modelId ?? (await findDefaultModel(client, signal));
  if (modelId === undefined && model === GUIDE_MODEL_ID && io.stderr.isTTY === true && output.tty && !output.json) {
    const style = createStreamStyle(io.stderr, io, flags);
    for (const line of GUIDE_NOTICE) io.stderr.write(`${style.dim(line)}\n`);
  }
  return model;
}

async function answerOnce(context: Context, options: ChatOptions, prompt: string): Promise<void> {
  const { output, signal } = context;
  const client = await context.signedInClient();
  const model = await resolveModel(context, client, options.model);
  const pictures = await Promise.all(options.images.map(loadPicture));
  if (pictures.length > 0) requireImageSupport(await loadImageSupport(client, model, signal));
  const request: AnswerRequest = { ...options, model, messages: buildMessages(options.system, prompt, pictures) };
  if (output.json || !options.stream) {
    const wait = output.waits.begin("Waiting for the answer");
    const completion = await client.chat.completions.create(toRequestBody(request), {
      signal,
      headers: toQueueHeaders(request),
    });
    wait.end();
    if (output.json) output.printJson(completion);
    else output.print(completion.choices[0]?.message.content ?? "");
    return;
  }
  await printAnswer(
    context,
    streamAnswer(client, request, signal, () => performance.now()),
  );
}

/** Prints an answer as it comes, and its statistics for people. Until its first token, says what is waited for. */
async function printAnswer({ io, output, flags }: Context, answer: AsyncIterable<AnswerPiece>): Promise<void> {
  const style = createStreamStyle(io.stderr, io, flags);
  const wait = output.waits.begin("Waiting for the first token");
  let lastCharacter = "\n";
  const endLine = () => {
    if (lastCharacter !== "\n") io.stdout.write("\n");
  };
  try {
    for await (const piece of answer) {
      if (piece.kind === "reasoning") wait.change("Thinking");
      else wait.end();
      if (piece.kind === "stats") {
        endLine();
        lastCharacter = "\n";
        if (io.stderr.isTTY === true && output.tty)
          io.stderr.write(`${style.dim(`  ${formatStats(piece.stats, io.env.unicode)}`)}\n`);
      } else if (piece.kind === "text") {
        const text = sanitize(piece.text);
        io.stdout.write(text);
        lastCharacter = text.at(-1) ?? lastCharacter;
      }
    }
  } finally {
    wait.end();
    endLine();
  }
}

async function loadImageSupport(client: Feather, id: string, signal: AbortSignal) {
  const model = await client.models.get(id, {}, { signal });
  return { id: model.id, acceptsImages: model.input_modalities.includes("image") };
}

function buildMessages(system: string | undefined, prompt: string, pictures: readonly Picture[]): Message[] {
  const userMessage: Message = { role: "user", content: prompt, pictures };
  return system === undefined ? [userMessage] : [{ role: "system", content: system }, userMessage];
}

async function startConversation(context: Context, options: ChatOptions): Promise<void> {
  const { io, output, signal } = context;
  if (output.json) throw new UsageError("--json needs a prompt", 'feather chat --json "hello"');
  if (!output.tty || !context.interactive)
    throw new UsageError("there is no prompt", 'feather chat "hello", or text on stdin');
  const client = await context.signedInClient();
  const model = await resolveModel(context, client, options.model);
  const ui = await context.loadUi("a prompt");
  const { readHistory, writeHistory } = await import("../../ui/chat/history.ts");
  const history = join(io.env.configDir, "chat-history.jsonl");
  const { toExitReport } = await import("../../exit-report.ts");
  await ui.chat(
    {
      start: await loadModelInfo(client, model, signal),
      ...(options.system !== undefined && { system: options.system }),
      loadModel: (id) => loadModelInfo(client, id, signal),
      streamAnswer: (request, abortSignal) =>
        streamAnswer(client, { ...options, model: request.model, messages: request.messages }, abortSignal, () =>
          performance.now(),
        ),
      save: (path, text) => writeFile(path, text, { flag: "wx" }),
      readFile: readFilePart,
      readPicture: loadPicture,
      history: io.env.noHistory ? [] : readHistory(history),
      saveHistory: (prompts) => {
        if (!io.env.noHistory) writeHistory(history, prompts);
      },
      explain(error) {
        const { message, notes } = toExitReport(error);
        return message === null ? null : [message, ...notes.map(([label, text]) => `  ${label}: ${text}`)].join("\n");
      },
      color: output.style.color,
      unicode: io.env.unicode,
    },
    io,
  );
}

async function loadModelInfo(client: Awaited<ReturnType<Context["client"]>>, id: string, signal: AbortSignal) {
  const [model, plan] = await Promise.all([client.models.get(id, {}, { signal }), client.plan.get({ signal })]);
  return {
    id: model.id,
    units: model.concurrency_cost,
    limit: plan.concurrency,
    acceptsImages: model.input_modalities.includes("image"),
  };
}
