import { join } from "node:path";
import { streamAnswer } from "../../chat/answer.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { resolveModel } from "./default-model.ts";
import { createDocumentReader, readFilePart } from "./files.ts";
import type { ChatOptions } from "./options.ts";
import { loadPicture } from "./pictures.ts";
import { createKeeper } from "./saved/keeper.ts";
import { keepLastChat } from "./saved/last-chat.ts";
import { findResumed, saveToServer } from "./saved/resumed.ts";
import { createChatSaver } from "./saved/saved-chats.ts";

/** Talks with the person at the terminal until they leave. Throws `UsageError` where nobody can be asked. */
export async function startConversation(context: Context, options: ChatOptions): Promise<void> {
  const { io, output, signal, now } = context;
  if (output.json) throw new UsageError("--json needs a prompt", 'feather chat --json "hello"');
  if (!output.tty || !context.interactive)
    throw new UsageError("there is no prompt", 'feather chat "hello", or text on stdin');
  const client = await context.signedInClient();
  const resumed = options.continues ? await findResumed(context, client) : undefined;
  const model = await resolveModel(context, client, options.model ?? resumed?.transcript.model);
  const system = options.system ?? resumed?.transcript.system;
  const readDocument = createDocumentReader(context);
  const keeper = createKeeper(resumed, {
    now,
    keepHere: (last) => {
      if (!io.env.noHistory) keepLastChat(io.env.configDir, last);
    },
    saveToServer: (chat, exchange) => saveToServer(context, client, chat, exchange),
  });
  const ui = await context.loadUi("a prompt");
  const { readHistory, writeHistory } = await import("../../ui/chat/history.ts");
  const { editText } = await import("../../ui/chat/edit-text.ts");
  const { listPaths } = await import("../../ui/chat/list-paths.ts");
  const history = join(io.env.configDir, "chat-history.jsonl");
  const { toExitReport } = await import("../../exit/exit-report.ts");
  await ui.chat(
    {
      start: await loadModelInfo(client, model, signal),
      ...(system !== undefined && { system }),
      ...(resumed !== undefined && { resumed: { note: resumed.note, messages: resumed.transcript.messages } }),
      loadModel: (id) => loadModelInfo(client, id, signal),
      streamAnswer: (request, abortSignal) =>
        streamAnswer(client, { ...options, model: request.model, messages: request.messages }, abortSignal, () =>
          performance.now(),
        ),
      save: createChatSaver(resumed?.last?.path ?? undefined, ".", keeper.noteSaved),
      keep: keeper.keep,
      readFile: async (path) => (await readFilePart(path, readDocument)).part,
      readPicture: loadPicture,
      listPaths,
      editText: (text) => editText(text, io.env.editor),
      stopProcess: ui.stopProcess,
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
    signal,
  );
  await keeper.untilKept();
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
