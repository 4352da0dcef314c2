import type { Clock } from "../platform/core/clock.ts";
import type { Database } from "../platform/core/db/connect.ts";
import type { Sealer } from "../platform/core/secrets/sealing.ts";
import { type ConversationSettings, createConversationsModule } from "./conversations/index.ts";

type Ports = {
  db: Database;
  clock: Clock;
  /** Encrypts the keys with which organizations' chats are encrypted. */
  conversationKeySealer: Sealer;
  settings: { conversations: ConversationSettings };
};

/** Creates what people keep of their chats. */
export function createChats({ settings, ...ports }: Ports) {
  const conversations = createConversationsModule({ ...ports, settings: settings.conversations });
  return {
    modules: [conversations],
    api: { listKeptChats: conversations.api.listKept, waitingAnswers: conversations.api.waitingAnswers },
  };
}
