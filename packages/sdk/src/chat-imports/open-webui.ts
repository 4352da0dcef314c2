import {
  branchTo,
  isRecord,
  type LeftOut,
  type ReadSourceChat,
  type SourceMessage,
  toList,
  toText,
  toTime,
} from "./source-chat.ts";

/** Blocks that Open WebUI puts into the text of an answer for what its model thought, called and ran. */
const DETAILS = /<details type="(\w+)"[^>]*>[\s\S]*?<\/details>\s*/g;

/** Reads a chat of Open WebUI's export: messages by id in `history`, whose shown leaf is `currentId`. */
export const readOpenWebUiChat: ReadSourceChat = (value, leftOut) => {
  if (!isRecord(value) || !isRecord(value.chat)) return null;
  const { chat } = value;
  const history = isRecord(chat.history) ? chat.history : {};
  const messages = isRecord(history.messages) ? history.messages : {};
  const messageAt = (id: string) => (isRecord(messages[id]) ? messages[id] : null);
  const leaf = toText(history.currentId) || (Object.keys(messages).at(-1) ?? "");
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
  leftOut.files += toList(message.files).length;
  const text = toText(message.content).replace(DETAILS, (_block, type: string) => {
    if (type === "reasoning") leftOut.thoughts += 1;
    else leftOut.toolCalls += 1;
    return "";
  });
  if (text.trim() === "") return null;
  return {
    role,
    text: text.trim(),
    model: toText(message.model) || null,
    at: toTime(message.timestamp),
    isComplete: message.done !== false,
  };
}
