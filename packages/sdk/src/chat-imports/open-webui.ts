import {
  branchTo,
  findLeaf,
  isRecord,
  type LeftOut,
  type ReadSourceChat,
  recordAt,
  type SourceMessage,
  toRecords,
  toText,
  toTime,
} from "./source-chat.ts";

/** Blocks that Open WebUI puts into the text of an answer for what its model thought, called and ran. Attributes have no `<`. */
const DETAILS = /<details type="(\w+)"[^<>]*>[\s\S]*?<\/details>\s*/g;
const END = "</details>";

/** Reads a chat of Open WebUI's export: messages by id in `history`, whose shown leaf is `currentId`. */
export const readOpenWebUiChat: ReadSourceChat = (value, leftOut) => {
  if (!isRecord(value) || !isRecord(value.chat)) return null;
  const { chat } = value;
  const history = isRecord(chat.history) ? chat.history : {};
  const messages = isRecord(history.messages) ? history.messages : {};
  const messageAt = (id: string) => recordAt(messages, id);
  const leaf = findLeaf(history.currentId, messages);
  const branch = branchTo(leaf, (id) => toText(messageAt(id)?.parentId) || null);
  leftOut.otherBranches += Object.keys(messages).length - branch.filter((id) => messageAt(id) !== null).length;
  return {
    id: toText(value.id) || toText(chat.id),
    title: toText(value.title) || toText(chat.title),
    createdAt: toTime(value.created_at) ?? toTime(chat.timestamp),
    updatedAt: toTime(value.updated_at) ?? toTime(chat.timestamp),
    isArchived: value.archived === true,
    isPinned: value.pinned === true,
    messages: branch.flatMap((id) => readMessage(messageAt(id), leftOut) ?? []),
  };
};

function readMessage(message: unknown, leftOut: LeftOut): SourceMessage | null {
  if (!isRecord(message)) return null;
  const { role } = message;
  if (role !== "user" && role !== "assistant") return null;
  leftOut.files += toRecords(message.files).length;
  const text = removeBlocks(toText(message.content), leftOut);
  if (text.trim() === "") return null;
  return {
    role,
    text: text.trim(),
    model: toText(message.model) || null,
    at: toTime(message.timestamp),
    isComplete: message.done !== false,
  };
}

/** Returns a text without the blocks, which are counted. A block that never ends stays, as a part of the text. */
function removeBlocks(text: string, leftOut: LeftOut): string {
  const lastEnd = text.lastIndexOf(END);
  if (lastEnd === -1) return text;
  // Only up to the last end, since after it each beginning would be searched for an end through all that follows.
  const afterBlocks = text.slice(lastEnd + END.length).trimStart();
  const blocks = text.slice(0, text.length - afterBlocks.length);
  const kept = blocks.replace(DETAILS, (_block, type: string) => {
    if (type === "reasoning") leftOut.thoughts += 1;
    else leftOut.toolCalls += 1;
    return "";
  });
  return kept + afterBlocks;
}
