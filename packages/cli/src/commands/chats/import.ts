import type { ChatImportReport, LeftOut } from "@feather/sdk/chat-imports";
import { loadChatExport } from "../../chat/chat-export-file.ts";
import { type ImportOutcome, storeImportedChat } from "../../chat/store-imported-chat.ts";
import type { Command } from "../../command.ts";

const SOURCES: Readonly<Record<ChatImportReport["source"], string>> = {
  chatgpt: "ChatGPT",
  "open-webui": "Open WebUI",
  librechat: "LibreChat",
};
/** What is left out, in words for one and for several. */
const LEFT_OUT: Readonly<Record<keyof LeftOut, readonly [string, string]>> = {
  emptyChats: ["chat without messages", "chats without messages"],
  unreadable: ["element that is no chat", "elements that are no chats"],
  otherBranches: ["message of another branch", "messages of other branches"],
  tooMany: ["message after the first 5,000 of its chat", "messages after the first 5,000 of their chats"],
  files: ["picture or file", "pictures and files"],
  toolCalls: ["tool call or result", "tool calls and results"],
  thoughts: ["text in which a model thought", "texts in which models thought"],
  cutTexts: ["text after its first 2,000,000 characters", "texts after their first 2,000,000 characters"],
};

/** Stores the chats of an export of another program on the server. */
export const chatsImport: Command<{ readonly path: string; readonly isDryRun: boolean }> = {
  name: "chats import",
  summary: "Take over chats from ChatGPT, Open WebUI or LibreChat",
  description:
    "Reads conversations.json of ChatGPT or the ZIP file that it comes in, or the JSON that Open WebUI or LibreChat exports, up to 400 MB. Of each chat the branch that was shown last is taken over, with its times. Pictures, files, tool calls and thoughts are left out, and counted. A chat that was taken over before is not stored twice.",
  arguments: [{ name: "<file>", summary: "the export" }],
  flags: [{ name: "--dry-run", summary: "say what would be stored and what is left out, and store nothing" }],
  prints: "json",
  needs: "sign-in",
  examples: ["feather chats import chatgpt.zip --dry-run", "feather chats import conversations.json"],
  options: ([path = ""], { dryRun }) => ({ path, isDryRun: dryRun === true }),
  async run({ client, output, signal }, { path, isDryRun }) {
    const { chats, report } = await loadChatExport(path);
    output.info(describeReport(report));
    const outcomes: Record<ImportOutcome, number> = { stored: 0, known: 0, deleted: 0 };
    if (!isDryRun) {
      const api = await client();
      for (const chat of chats) outcomes[await storeImportedChat(api, chat, signal)] += 1;
    }
    if (output.json) output.printJson({ ...report, is_dry_run: isDryRun, outcomes });
    else output.print(isDryRun ? "Nothing is stored yet." : describeOutcomes(outcomes));
  },
};

function describeReport({ source, chats, messages, leftOut }: ChatImportReport): string {
  const lines = (Object.keys(LEFT_OUT) as (keyof LeftOut)[])
    .filter((what) => leftOut[what] > 0)
    .map((what) => `  ${leftOut[what]} ${LEFT_OUT[what][leftOut[what] === 1 ? 0 : 1]}`);
  const head = `${SOURCES[source]}: ${chats} ${chats === 1 ? "chat" : "chats"} with ${messages} ${messages === 1 ? "message" : "messages"}.`;
  return lines.length === 0 ? head : [head, "Left out:", ...lines].join("\n");
}

function describeOutcomes({ stored, known, deleted }: Record<ImportOutcome, number>): string {
  const parts = [`Stored ${stored} ${stored === 1 ? "chat" : "chats"}.`];
  if (known > 0) parts.push(`${known} ${known === 1 ? "was" : "were"} there already.`);
  if (deleted > 0) parts.push(`${deleted} ${deleted === 1 ? "was" : "were"} deleted here before and not stored again.`);
  return parts.join(" ");
}
