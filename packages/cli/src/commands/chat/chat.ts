import { InvalidArgumentError } from "commander";
import type { SamplingOptions } from "../../chat/answer.ts";
import type { Command } from "../../command.ts";
import type { FlagValues } from "../../command-line.ts";
import { UsageError } from "../../errors.ts";
import { collect, isSet, optionalNumber, optionalText, parseNumberBetween, repeatedTexts } from "../../flags.ts";
import { readBytes } from "../../input.ts";
import { answerOnce } from "./answer-once.ts";
import { startConversation } from "./conversation.ts";
import { createDocumentReader, type FilePart, joinPrompt, readFilePart, readPipedPart } from "./files.ts";
import { applyLibrary, parseVariables } from "./library.ts";
import type { ChatOptions } from "./options.ts";

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** What places can be sorted by. */
const SORT_ORDERS = ["price", "throughput", "latency"] as const;

/** Returns the field `provider` of the request; nothing without flags for it. */
function toProvider({ only, sort }: FlagValues): Pick<SamplingOptions, "provider"> {
  const by = SORT_ORDERS.find((order) => order === sort);
  const places = typeof only === "string" ? only.split(",").map((place) => place.trim()) : undefined;
  if (places === undefined && by === undefined) return {};
  return { provider: { ...(places !== undefined && { only: places }), ...(by !== undefined && { sort: by }) } };
}

/** Parses names by comma. Throws `InvalidArgumentError`. */
function parseNames(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new InvalidArgumentError("It takes names by comma.");
  return [...new Set(names)];
}

/** Returns what is taken from the library of prompts; nothing without flags for it. Throws `UsageError`. */
function toLibrary({ prompt, persona, var: values }: FlagValues): Pick<ChatOptions, "library"> {
  const variables = parseVariables(repeatedTexts(values));
  const names = { ...optionalText("prompt", prompt), ...optionalText("persona", persona) };
  if (names.prompt === undefined && Object.keys(variables).length > 0)
    throw new UsageError("--var needs --prompt", "--prompt Translate --var language=Dutch");
  return Object.keys(names).length === 0 ? {} : { library: { ...names, variables } };
}

/** Talks to a model: answers once when there is a prompt, and starts a conversation otherwise. */
export const chat: Command<ChatOptions> = {
  name: "chat",
  summary: "Talk to a model",
  arguments: [{ name: "[prompt...]", summary: "what to say; stdin goes before it" }],
  prints: "json",
  confirms: true,
  needs: "sign-in",
  flags: [
    {
      name: "-m, --model <id>",
      summary: "model; if left out, one that answers now, else feather/guide, which knows Feather only",
      values: "models",
    },
    {
      name: "--fallback <id>",
      summary: "model to try when the one before cannot answer; may be given often",
      parse: collect,
      values: "models",
    },
    {
      name: "--only <places>",
      summary: "where it may answer, by comma: server, network or ids of providers",
    },
    { name: "--sort <by>", summary: "prefer the place with the best of this", choices: SORT_ORDERS },
    { name: "-s, --system <text>", summary: "instructions for the model" },
    { name: "--persona <name>", summary: "instructions, model and settings: feather prompts list" },
    { name: "--prompt <name>", summary: "begin with a prompt of the library: feather prompts list" },
    { name: "--var <name=value>", summary: "value of a variable of --prompt; may be given often", parse: collect },
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
      summary: "a text, PDF, DOCX or XLSX file to send along; may be given often",
      parse: collect,
      values: "files",
    },
    {
      name: "-i, --image <path>",
      summary: "a picture to send along, as a file or an address; may be given often",
      parse: collect,
      values: "files",
    },
    {
      name: "--tools <names>",
      summary: "tools that the model may call, by comma: feather tools list; each call has to be allowed",
      parse: parseNames,
    },
    {
      name: "--collection <name>",
      summary: "answer from the documents of a collection; may be given often",
      parse: collect,
    },
    { name: "--no-stream", summary: "print the answer when it is complete" },
    { name: "--schema <file>", summary: "answer in JSON that follows the JSON Schema of a file", values: "files" },
    {
      name: "-c, --continue",
      summary: "go on with the last conversation, here or on the server",
      property: "continues",
    },
  ],
  examples: [
    "feather chat",
    'feather chat -m Qwen/Qwen3-32B "why do feathers insulate?"',
    'feather chat -m Qwen/Qwen3-32B --fallback Qwen/Qwen3-8B "why do feathers insulate?"',
    'feather chat -f error.log "What went wrong?"',
    'feather chat --file report.pdf "What are the risks?"',
    'feather chat "What are the risks?" < report.pdf',
    'feather chat -m Qwen/Qwen2.5-VL-7B-Instruct --image bird.png "What kind of bird is this?"',
    'feather chat --collection Handbook "How many days of leave do I have?"',
    'feather chat --schema person.json "Maria Winter is 34." | jq .age',
    'feather chat --tools feather__calculate "What is 17 percent of 2,345?"',
    'feather chat --continue "And why is that?"',
    "feather chat --prompt Translate --var language=Dutch < letter.txt",
    'feather chat --persona Reviewer "What is wrong here?" < change.diff',
    'git diff --staged | feather chat "Write a commit message." > msg',
  ],
  options: (args, flags) => ({
    ...optionalText("model", flags.model),
    ...optionalText("system", flags.system),
    prompt: args.join(" "),
    files: repeatedTexts(flags.file),
    images: repeatedTexts(flags.image),
    ...(flags.tools !== undefined && { tools: repeatedTexts(flags.tools) }),
    collections: repeatedTexts(flags.collection),
    sampling: {
      ...toProvider(flags),
      ...(repeatedTexts(flags.fallback).length > 0 && { models: [...repeatedTexts(flags.fallback)] }),
      ...optionalNumber("temperature", flags.temperature),
      ...optionalNumber("seed", flags.seed),
      ...(typeof flags.topP === "number" && { top_p: flags.topP }),
      ...(typeof flags.maxTokens === "number" && { max_tokens: flags.maxTokens }),
    },
    ...toLibrary(flags),
    stream: flags.stream !== false,
    ...optionalText("schema", flags.schema),
    continues: isSet(flags, "continues"),
    ...optionalNumber("queue", flags.queue),
  }),
  async run(context, given) {
    const options = await applyLibrary(context, given);
    const readDocument = createDocumentReader(context);
    const { stdin } = context.io;
    const piped = stdin.isTTY === true ? [] : [await readPipedPart(await readBytes(stdin), readDocument)];
    const files: FilePart[] = [];
    // In turn, since the server reads one document of a person at a time.
    for (const path of options.files) files.push(await readFilePart(path, readDocument));
    const parts = [...files, ...piped].filter(({ part }) => part !== "");
    const prompt = joinPrompt(parts, options.prompt);
    if (prompt === "" && options.images.length > 0)
      throw new UsageError(
        "there is no prompt that goes with the picture",
        'feather chat --image bird.png "Which bird?"',
      );
    if (prompt === "" && options.collections.length > 0)
      throw new UsageError("--collection needs a question", 'feather chat --collection Handbook "How many days?"');
    if (prompt === "" && options.schema !== undefined)
      throw new UsageError("--schema needs a prompt", 'feather chat --schema person.json "Maria Winter is 34."');
    if (prompt === "" && options.tools !== undefined)
      throw new UsageError("--tools needs a prompt", 'feather chat --tools feather__calculate "What is 3 * 17?"');
    if (prompt === "") await startConversation(context, options);
    else await answerOnce(context, options, parts);
  },
};
