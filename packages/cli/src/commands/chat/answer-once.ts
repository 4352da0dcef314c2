import { writeFile } from "node:fs/promises";
import type { Feather } from "@feather/sdk";
import {
  type AnswerRequest,
  type Message,
  MODEL_TIMEOUT_MS,
  streamAnswer,
  toRequestBody,
  toWaitHeaders,
} from "../../chat/answer.ts";
import { formatTranscript } from "../../chat/transcript.ts";
import type { Context } from "../../context.ts";
import { answerWithTools } from "./chat-tools.ts";
import { resolveModel } from "./default-model.ts";
import type { FilePart } from "./files.ts";
import { searchLongFiles } from "./long-files.ts";
import type { ChatOptions } from "./options.ts";
import { findPassages, listSources, withQuotedPassages } from "./passages.ts";
import { loadPicture, requireImageSupport } from "./pictures.ts";
import { printAnswer } from "./print-answer.ts";
import { keepLastChat } from "./saved/last-chat.ts";
import { findResumed, saveToServer } from "./saved/resumed.ts";
import { loadResponseFormat, parseJsonAnswer } from "./schema.ts";

/** Answers one prompt with the texts that go before it, and keeps the exchange for `--continue`, with which it is added to the last conversation, where that is kept. */
export async function answerOnce(context: Context, options: ChatOptions, parts: readonly FilePart[]): Promise<void> {
  const { io, signal, now } = context;
  const responseFormat = options.schema === undefined ? undefined : await loadResponseFormat(options.schema);
  const client = await context.signedInClient();
  const resumed = options.continues ? await findResumed(context, client) : undefined;
  const model = await resolveModel(context, client, options.model ?? resumed?.transcript.model);
  const pictures = await Promise.all(options.images.map(loadPicture));
  if (pictures.length > 0) requireImageSupport(await loadImageSupport(client, model, signal));
  const system = options.system ?? resumed?.transcript.system;
  const searched = await searchLongFiles(client, context, model, { parts, question: options.prompt });
  const { prompt } = searched;
  const question: Message = { role: "user", content: prompt, pictures };
  const earlier = resumed?.transcript.messages ?? [];
  const messages: Message[] = [...earlier, question];
  if (resumed !== undefined) context.output.info(resumed.note);
  const found =
    options.collections.length === 0
      ? { hits: [], problems: [] }
      : await findPassages(client, context, options.collections, options.prompt || prompt);
  for (const problem of new Set([...searched.problems, ...found.problems])) context.output.info(problem);
  if (options.collections.length > 0 && found.hits.length === 0)
    context.output.info("The collections have no passage about this. The model answers without them.");
  const hits = [...searched.hits, ...found.hits];
  const sent = [...earlier, withQuotedPassages(question, hits)];
  const content = await requestAnswer(context, client, options, {
    model,
    messages: system === undefined ? sent : [{ role: "system", content: system }, ...sent],
    sampling: options.sampling,
    ...(options.queue !== undefined && { queue: options.queue }),
    ...(options.waitForModel !== undefined && { waitForModel: options.waitForModel }),
    ...(responseFormat !== undefined && { responseFormat }),
  });
  for (const source of listSources(content, hits)) context.output.info(source);
  const transcript = { model, system, messages: [...messages, { role: "assistant", content } as const] };
  if (resumed?.chat) {
    const exchange = { model, prompt, pictures, answer: content, at: now() };
    if ((await saveToServer(context, client, resumed.chat, exchange)) !== null) return;
  }
  const path = resumed?.last?.path ?? null;
  if (path !== null) await writeFile(path, formatTranscript(transcript));
  if (!io.env.noHistory) keepLastChat(io.env.configDir, { transcript, path, keptAt: now() });
}

/** Prints the answer in the form that the options ask for, and returns its text. */
async function requestAnswer(
  context: Context,
  client: Feather,
  options: ChatOptions,
  request: AnswerRequest,
): Promise<string> {
  const { output, signal } = context;
  if (options.tools !== undefined) {
    const run = await answerWithTools(context, client, request, options.tools);
    if (output.json) output.printJson(run);
    else output.print(run.content ?? "");
    return run.content ?? "";
  }
  if (!output.json && options.stream && request.responseFormat === undefined)
    return printAnswer(
      context,
      streamAnswer(client, request, signal, () => performance.now()),
    );
  const wait = output.waits.begin("Waiting for the answer");
  const limits = { signal, timeout: MODEL_TIMEOUT_MS, headers: toWaitHeaders(request) };
  const completion = await client.chat.completions.create(toRequestBody(request), limits);
  wait.end();
  const [choice] = completion.choices;
  const content = choice?.message.content ?? "";
  if (output.json) output.printJson(completion);
  else if (request.responseFormat === undefined) output.print(content);
  else output.printJson(parseJsonAnswer(content, choice?.finish_reason));
  return content;
}

async function loadImageSupport(client: Feather, id: string, signal: AbortSignal) {
  const model = await client.models.get(id, {}, { signal });
  return { id: model.id, acceptsImages: model.input_modalities.includes("image") };
}
