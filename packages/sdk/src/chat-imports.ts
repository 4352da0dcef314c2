/**
 * Reads exports of chats from ChatGPT, Open WebUI and LibreChat. Nothing is sent: the result is what `conversations.put` and
 * `conversations.putEntries` take.
 *
 * ```ts
 * import { readChatExport } from "@feather/sdk/chat-imports";
 *
 * const { chats, report } = await readChatExport(await file.text());
 * console.log(report.chats, report.messages, report.leftOut);
 * ```
 *
 * @module
 */
import { buildChat, type ImportedChat } from "./chat-imports/build-chat.ts";
import { readChatGptChat } from "./chat-imports/chatgpt.ts";
import { readLibreChatChat } from "./chat-imports/librechat.ts";
import { readOpenWebUiChat } from "./chat-imports/open-webui.ts";
import { type ChatSource, isRecord, type LeftOut, type ReadSourceChat } from "./chat-imports/source-chat.ts";

export type { ChatSource, ImportedChat, LeftOut };

/** What an import would store, and what it leaves out. */
export type ChatImportReport = { source: ChatSource; chats: number; messages: number; leftOut: LeftOut };
/** The chats of an export. `report` is null if the file is no export that is known. */
export type ChatExport = { chats: ImportedChat[]; report: ChatImportReport | null };

const READERS: Readonly<Record<ChatSource, ReadSourceChat>> = {
  chatgpt: readChatGptChat,
  "open-webui": readOpenWebUiChat,
  librechat: readLibreChatChat,
};

/**
 * Reads the JSON of an export: `conversations.json` of ChatGPT, all chats or one of Open WebUI, or a chat of LibreChat. Of each
 * chat the branch that was shown last is read. Ids come from the export, so that the same chat has the same ids again. Several
 * texts are the parts of one export.
 */
export async function readChatExport(
  json: string | readonly string[],
  { now = new Date() }: { now?: Date } = {},
): Promise<ChatExport> {
  const items = (typeof json === "string" ? [json] : json).flatMap(parseJson);
  const source = items.map(recognize).find((one) => one !== null) ?? null;
  if (source === null) return { chats: [], report: null };
  const leftOut: LeftOut = {
    emptyChats: 0,
    unreadable: 0,
    otherBranches: 0,
    tooMany: 0,
    files: 0,
    toolCalls: 0,
    thoughts: 0,
    cutTexts: 0,
  };
  const chats = new Map<string, ImportedChat>();
  for (const item of items) {
    const read = READERS[source](item, leftOut);
    if (read === null || read.id === "") leftOut.unreadable += 1;
    const chat = read === null || read.id === "" ? null : await buildChat(source, read, leftOut, now);
    if (chat) chats.set(chat.id, chat);
  }
  const all = [...chats.values()];
  const messages = all.reduce((sum, { entries }) => sum + entries.length, 0);
  return { chats: all, report: { source, chats: all.length, messages, leftOut } };
}

/** Unpacks the files of a ZIP file that `filter` takes, as `unzipSync` of fflate does. */
export type Unzip = (
  bytes: Uint8Array,
  options: { filter(file: { name: string; originalSize: number }): boolean },
) => Record<string, Uint8Array>;

/** The names of ChatGPT's files with chats. Large exports have several. */
const CHAT_FILE = /(^|\/)conversations(-\d+)?\.json$/;

/**
 * Returns the texts of an export's file for `readChatExport`: the file itself, or the files with chats in ChatGPT's ZIP file. A file
 * with more than `maxBytes`, packed or unpacked, is not read.
 */
export function readChatFile(
  bytes: Uint8Array,
  { unzip, maxBytes }: { unzip: Unzip; maxBytes: number },
): { texts: string[] } | { problem: "too-large" | "unreadable" } {
  if (bytes.length > maxBytes) return { problem: "too-large" };
  const toText = (part: Uint8Array) => new TextDecoder().decode(part);
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return { texts: [toText(bytes)] };
  let left = maxBytes;
  try {
    const files = unzip(bytes, {
      filter({ name, originalSize }) {
        if (!CHAT_FILE.test(name)) return false;
        left -= originalSize;
        return left >= 0;
      },
    });
    if (left < 0) return { problem: "too-large" };
    const names = Object.keys(files).sort();
    return { texts: names.map((name) => toText(files[name] ?? new Uint8Array())) };
  } catch {
    return { problem: "unreadable" };
  }
}

/** Returns which program wrote an element; null if it is none of these. */
function recognize(item: unknown): ChatSource | null {
  if (!isRecord(item)) return null;
  if (isRecord(item.mapping)) return "chatgpt";
  if (isRecord(item.chat)) return "open-webui";
  return typeof item.conversationId === "string" && (item.messages || item.messagesTree) ? "librechat" : null;
}

/** Returns the elements of a list, or the only value. A text that is no JSON is an element that is no chat. */
function parseJson(json: string): unknown[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [null];
  }
}
