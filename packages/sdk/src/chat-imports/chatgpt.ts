import {
  branchTo,
  findLeaf,
  isRecord,
  type LeftOut,
  type ReadSourceChat,
  recordAt,
  type SourceMessage,
  toList,
  toRecords,
  toText,
  toTime,
  type UnknownRecord,
} from "./source-chat.ts";

/** Reads a chat of ChatGPT's `conversations.json`: a tree of nodes in `mapping`, whose shown leaf is `current_node`. */
export const readChatGptChat: ReadSourceChat = (value, leftOut) => {
  if (!isRecord(value) || !isRecord(value.mapping)) return null;
  const { mapping } = value;
  const nodeAt = (id: string) => recordAt(mapping, id);
  const leaf = findLeaf(value.current_node, mapping);
  const branch = branchTo(leaf, (id) => toText(nodeAt(id)?.parent) || null);
  const shown = new Set(branch);
  leftOut.otherBranches += Object.keys(mapping).filter((id) => !shown.has(id) && isSpoken(nodeAt(id)?.message)).length;
  return {
    id: toText(value.conversation_id) || toText(value.id),
    title: toText(value.title),
    createdAt: toTime(value.create_time),
    updatedAt: toTime(value.update_time),
    isArchived: value.is_archived === true,
    isPinned: false,
    messages: branch.flatMap((id) => readMessage(nodeAt(id)?.message, leftOut) ?? []),
  };
};

const roleOf = (message: UnknownRecord): string => toText(isRecord(message.author) ? message.author.role : null);

/** Whether a message is a question or an answer. */
const isSpoken = (message: unknown): boolean => isRecord(message) && ["user", "assistant"].includes(roleOf(message));

function readMessage(message: unknown, leftOut: LeftOut): SourceMessage | null {
  if (!isRecord(message) || !isRecord(message.content)) return null;
  const role = roleOf(message);
  const metadata = isRecord(message.metadata) ? message.metadata : {};
  if (metadata.is_visually_hidden_from_conversation === true) return null;
  // An assistant that writes to somebody else than all calls a tool.
  const callsTool = role === "assistant" && !["", "all"].includes(toText(message.recipient));
  if (role === "tool" || callsTool) {
    leftOut.toolCalls += 1;
    return null;
  }
  if (role !== "user" && role !== "assistant") return null;
  const text = readContent(message.content, leftOut);
  leftOut.files += toRecords(metadata.attachments).length;
  if (text === "") return null;
  return {
    role,
    text,
    model: toText(metadata.model_slug) || null,
    at: toTime(message.create_time),
    isComplete: message.status !== "in_progress",
  };
}

/** Returns the text of a message; empty for instructions, and for what is left out. */
function readContent(content: UnknownRecord, leftOut: LeftOut): string {
  switch (content.content_type) {
    case "text":
      return toList(content.parts).map(toText).join("\n").trim();
    case "multimodal_text":
      return toList(content.parts)
        .map((part) => readPart(part, leftOut))
        .filter((text) => text !== "")
        .join("\n")
        .trim();
    case "code":
      return toCodeBlock(toText(content.text), toText(content.language));
    case "thoughts":
    case "reasoning_recap":
      leftOut.thoughts += 1;
      return "";
    default:
      return "";
  }
}

/** Returns code as Markdown, between fences that are longer than those in it. */
function toCodeBlock(code: string, language: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 0);
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

function readPart(part: unknown, leftOut: LeftOut): string {
  if (typeof part === "string") return part;
  if (isRecord(part) && part.content_type === "audio_transcription") return toText(part.text);
  if (isRecord(part)) leftOut.files += 1;
  return "";
}
