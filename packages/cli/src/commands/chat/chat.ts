import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { collect, given, givenNumber, givenOften, numberBetween } from "../../flags.ts";
import { readAll } from "../../input.ts";
import { styleOf } from "../../output/io.ts";
import { sanitize } from "../../output/sanitize.ts";
import {
  type AnswerRequest,
  answer,
  type Message,
  type Picture,
  queueHeader,
  requestBody,
  type Sampling,
  statsText,
} from "./answer.ts";
import { filePart } from "./files.ts";
import { ABOUT_GUIDE, defaultModel, GUIDE } from "./model.ts";
import { pictureOf, refuseBlind } from "./pictures.ts";

/** Options of `feather chat`. */
export type ChatOptions = {
  readonly model?: string;
  readonly system?: string;
  readonly prompt: string;
  /** Text files to send with the prompt. */
  readonly files: readonly string[];
  /** Pictures to send with it: paths or URLs. */
  readonly images: readonly string[];
  readonly sampling: Sampling;
  readonly stream: boolean;
  readonly queue?: number;
};

const MANY = Number.POSITIVE_INFINITY;

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
      parse: numberBetween(0, 2, false),
    },
    { name: "--top-p <number>", summary: "0 to 1; 1 is off", parse: numberBetween(0, 1, false) },
    { name: "--max-tokens <number>", summary: "longest answer", parse: numberBetween(1, MANY, true) },
    { name: "--seed <number>", summary: "makes answers repeatable", parse: numberBetween(-MANY, MANY, true) },
    { name: "--queue <seconds>", summary: "wait for free units, at most 600", parse: numberBetween(0, 600, true) },
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
    ...given("model", flags.model),
    ...given("system", flags.system),
    prompt: args.join(" "),
    files: givenOften(flags.file),
    images: givenOften(flags.image),
    sampling: {
      ...givenNumber("temperature", flags.temperature),
      ...givenNumber("seed", flags.seed),
      ...(typeof flags.topP === "number" && { top_p: flags.topP }),
      ...(typeof flags.maxTokens === "number" && { max_tokens: flags.maxTokens }),
    },
    stream: flags.stream !== false,
    ...givenNumber("queue", flags.queue),
  }),
  async run(context, options) {
    const piped = context.io.stdin.isTTY === true ? "" : (await readAll(context.io.stdin)).trimEnd();
    const files = await Promise.all(options.files.map(filePart));
    const prompt = [...files, piped, options.prompt].filter((part) => part !== "").join("\n\n");
    if (prompt === "" && options.images.length > 0)
      throw new UsageError(
        "there is no prompt that goes with the picture",
        'feather chat --image bird.png "Which bird?"',
      );
    if (prompt === "") await converse(context, options);
    else await answerOnce(context, options, prompt);
  },
};

/** Returns the model given or the default one. At a terminal, explains the guide when it is the default. */
async function chosenModel({ io, flags, output, signal }: Context, client: Feather, named?: string): Promise<string> {
  const model = named ?? (await defaultModel(client, signal));
  if (named === undefined && model === GUIDE && io.stderr.isTTY === true && output.tty && !output.json) {
    const style = styleOf(io.stderr, io, flags);
    for (const line of ABOUT_GUIDE) io.stderr.write(`${style.dim(line)}\n`);
  }
  return model;
}

async function answerOnce(context: Context, options: ChatOptions, prompt: string): Promise<void> {
  const { io, output, signal } = context;
  const client = await context.signedIn();
  const model = await chosenModel(context, client, options.model);
  const pictures = await Promise.all(options.images.map(pictureOf));
  if (pictures.length > 0) refuseBlind(await sightOf(client, model, signal));
  const request: AnswerRequest = { ...options, model, messages: conversation(options.system, prompt, pictures) };
  if (output.json || !options.stream) {
    const whole = await client.chat.completions.create(requestBody(request), { signal, headers: queueHeader(request) });
    if (output.json) output.printJson(whole);
    else output.print(whole.choices[0]?.message.content ?? "");
    return;
  }
  const style = styleOf(io.stderr, io, context.flags);
  let last = "\n";
  const end = () => {
    if (last !== "\n") io.stdout.write("\n");
  };
  try {
    for await (const piece of answer(client, request, signal, () => performance.now())) {
      if (piece.kind === "stats") {
        end();
        last = "\n";
        if (io.stderr.isTTY === true && output.tty)
          io.stderr.write(`${style.dim(`  ${statsText(piece.stats, io.env.unicode)}`)}\n`);
      } else if (piece.kind === "text") {
        const text = sanitize(piece.text);
        io.stdout.write(text);
        last = text.at(-1) ?? last;
      }
    }
  } finally {
    end();
  }
}

async function sightOf(client: Feather, id: string, signal: AbortSignal) {
  const model = await client.models.get(id, {}, { signal });
  return { id: model.id, sees: model.input_modalities.includes("image") };
}

function conversation(system: string | undefined, prompt: string, pictures: readonly Picture[]): Message[] {
  const said: Message = { role: "user", content: prompt, pictures };
  return system === undefined ? [said] : [{ role: "system", content: system }, said];
}

async function converse(context: Context, options: ChatOptions): Promise<void> {
  const { io, output, signal } = context;
  if (output.json) throw new UsageError("--json needs a prompt", 'feather chat --json "hello"');
  if (!output.tty || !context.interactive)
    throw new UsageError("there is no prompt", 'feather chat "hello", or text on stdin');
  const client = await context.signedIn();
  const model = await chosenModel(context, client, options.model);
  const ui = await context.ui("a prompt");
  const { readHistory, writeHistory } = await import("../../ui/chat/history.ts");
  const history = join(io.env.configDir, "chat-history.jsonl");
  const { endingOf } = await import("../../exit.ts");
  await ui.chat(
    {
      start: await modelFacts(client, model, signal),
      ...(options.system !== undefined && { system: options.system }),
      lookUp: (id) => modelFacts(client, id, signal),
      answer: (said, ending) =>
        answer(client, { ...options, model: said.model, messages: said.messages }, ending, () => performance.now()),
      save: (path, text) => writeFile(path, text, { flag: "wx" }),
      readFile: filePart,
      readPicture: pictureOf,
      earlier: io.env.noHistory ? [] : readHistory(history),
      keep: (prompts) => {
        if (!io.env.noHistory) writeHistory(history, prompts);
      },
      explain(error) {
        const { message, notes } = endingOf(error);
        return message === null ? null : [message, ...notes.map(([label, text]) => `  ${label}: ${text}`)].join("\n");
      },
      color: output.style.color,
      unicode: io.env.unicode,
    },
    io,
  );
}

async function modelFacts(client: Awaited<ReturnType<Context["client"]>>, id: string, signal: AbortSignal) {
  const [model, plan] = await Promise.all([client.models.get(id, {}, { signal }), client.plan.get({ signal })]);
  return {
    id: model.id,
    units: model.concurrency_cost,
    limit: plan.concurrency,
    sees: model.input_modalities.includes("image"),
  };
}
