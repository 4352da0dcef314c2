import type { ChatSource } from "../chat-imports/source-chat.ts";

/** A message as all three programs know it. What is left out is as these programs write it; any value stands for a broken one. */
export type ExportedMessage = {
  id: unknown;
  parent?: unknown;
  role?: "user" | "assistant";
  text?: unknown;
  model?: unknown;
  /** Seconds since 1970 for ChatGPT and Open WebUI, ISO 8601 for LibreChat. */
  time?: unknown;
};
/** The fields of an exported chat. `leaf` is the message that was shown last; LibreChat's exports name none. */
export type ExportedChat = { id?: unknown; title?: unknown; leaf?: unknown; time?: unknown };

type Write = (messages: readonly ExportedMessage[], chat?: ExportedChat) => Record<string, unknown>;

/** Returns an object with these names and values, also those named like something that every object has. */
const toObject = (pairs: readonly (readonly [unknown, unknown])[]) => Object.fromEntries(pairs);

const writeChatGpt: Write = (messages, { id = "c1", title = "Birds", leaf = messages.at(-1)?.id, time } = {}) => ({
  conversation_id: id,
  title,
  create_time: time,
  update_time: time,
  current_node: leaf,
  mapping: toObject(
    messages.map(({ id: name, parent = null, role = "user", text = "Text", time: at, model }) => [
      name,
      {
        parent,
        message: {
          author: { role },
          create_time: at,
          content: { content_type: "text", parts: [text] },
          recipient: "all",
          metadata: { model_slug: model },
        },
      },
    ]),
  ),
});

const writeOpenWebUi: Write = (messages, { id = "c1", title = "Birds", leaf = messages.at(-1)?.id, time } = {}) => ({
  id,
  title,
  created_at: time,
  updated_at: time,
  chat: {
    history: {
      currentId: leaf,
      messages: toObject(
        messages.map(({ id: name, parent = null, role = "user", text = "Text", time: at, model }) => [
          name,
          { id: name, parentId: parent, role, content: text, timestamp: at, model },
        ]),
      ),
    },
  },
});

const writeLibreChat: Write = (messages, { id = "c1", title = "Birds" } = {}) => ({
  conversationId: id,
  title,
  messages: messages.map(({ id: messageId, parent = null, role = "user", text = "Text", time: createdAt, model }) => ({
    messageId,
    parentMessageId: parent,
    isCreatedByUser: role === "user",
    text,
    createdAt,
    model,
  })),
});

/** Writes a chat as each of the programs exports it. */
export const EXPORTERS: Readonly<Record<ChatSource, Write>> = {
  chatgpt: writeChatGpt,
  "open-webui": writeOpenWebUi,
  librechat: writeLibreChat,
};

/** Returns messages that follow each other, beginning with a question. */
export const chain = (length: number): ExportedMessage[] =>
  Array.from({ length }, (_, index) => ({
    id: `m${index}`,
    parent: index === 0 ? null : `m${index - 1}`,
    role: index % 2 === 0 ? "user" : "assistant",
    text: `Text ${index}`,
  }));
