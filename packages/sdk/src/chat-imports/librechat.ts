import {
  branchTo,
  isRecord,
  type LeftOut,
  type ReadSourceChat,
  type SourceMessage,
  toList,
  toRecords,
  toText,
  toTime,
  type UnknownRecord,
} from "./source-chat.ts";

/** Reads LibreChat's export of a chat: `messages` in a list, or in a tree of `children` if it was exported recursively. */
export const readLibreChatChat: ReadSourceChat = (value, leftOut) => {
  if (!isRecord(value) || toText(value.conversationId) === "") return null;
  const messages = new Map<string, UnknownRecord>();
  const all = flatten(toList(value.messagesTree ?? value.messages));
  for (const message of all) messages.set(toText(message.messageId), message);
  const leaf = findNewest([...messages.values()]);
  const branch = branchTo(leaf, (id) => toText(messages.get(id)?.parentMessageId) || null);
  const read = branch.flatMap((id) => readMessage(messages.get(id), leftOut) ?? []);
  leftOut.otherBranches += all.length - branch.filter((id) => messages.has(id)).length;
  return {
    id: toText(value.conversationId),
    title: toText(value.title),
    createdAt: read[0]?.at ?? null,
    updatedAt: read.at(-1)?.at ?? null,
    isArchived: false,
    isPinned: false,
    messages: read,
  };
};

/** Returns all messages of a tree. Children name their parent where the export does not. */
function flatten(roots: readonly unknown[]): UnknownRecord[] {
  const found: UnknownRecord[] = [];
  const waiting: { message: unknown; parent: unknown }[] = roots.map((message) => ({ message, parent: null }));
  // The list grows while it is read.
  for (const { message, parent } of waiting) {
    if (!isRecord(message)) continue;
    found.push({ ...message, parentMessageId: message.parentMessageId ?? parent });
    for (const child of toList(message.children)) waiting.push({ message: child, parent: message.messageId });
  }
  return found;
}

/** Returns the id of the message that was written last. */
function findNewest(messages: readonly UnknownRecord[]): string {
  const timeOf = (message: UnknownRecord) => toTime(message.createdAt)?.getTime() ?? 0;
  const newest = messages.reduce<UnknownRecord | null>(
    (best, message) => (best === null || timeOf(message) >= timeOf(best) ? message : best),
    null,
  );
  return toText(newest?.messageId);
}

function readMessage(message: unknown, leftOut: LeftOut): SourceMessage | null {
  if (!isRecord(message)) return null;
  leftOut.files += toRecords(message.files).length;
  const parts = toList(message.content).map((part) => readPart(part, leftOut));
  const text = (parts.length > 0 ? parts.filter((part) => part !== "").join("\n\n") : toText(message.text)).trim();
  if (text === "") return null;
  return {
    role: message.isCreatedByUser === true ? "user" : "assistant",
    text,
    model: toText(message.model) || null,
    at: toTime(message.createdAt),
    isComplete: message.unfinished !== true && message.error !== true,
  };
}

/** Returns the text of a part; empty for what is left out. */
function readPart(part: unknown, leftOut: LeftOut): string {
  if (!isRecord(part)) return "";
  if (part.type === "text" || part.type === "error")
    return isRecord(part.text) ? toText(part.text.value) : toText(part.text);
  if (part.type === "think") leftOut.thoughts += 1;
  else if (part.type === "tool_call") leftOut.toolCalls += 1;
  else leftOut.files += 1;
  return "";
}
