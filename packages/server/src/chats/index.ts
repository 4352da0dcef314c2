import type { Audit } from "../platform/core/audit.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { Database } from "../platform/core/db/connect.ts";
import type { Ids } from "../platform/core/ids.ts";
import type { Sealer } from "../platform/core/secrets/sealing.ts";
import { type ConversationSettings, createConversationsModule } from "./conversations/index.ts";
import { createDocumentsModule, type DocumentSettings } from "./documents/index.ts";
import { createPromptsModule } from "./prompts/index.ts";

type Ports = {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  publicUrl: string;
  /** Encrypts the keys with which organizations' chats are encrypted. */
  conversationKeySealer: Sealer;
  settings: { conversations: ConversationSettings; documents: DocumentSettings };
};

/** Creates what people keep of their chats, their prompts, and what reads the documents that they send. */
export function createChats({ settings, ...ports }: Ports) {
  const conversations = createConversationsModule({ ...ports, settings: settings.conversations });
  const prompts = createPromptsModule({ ...ports, organizationKeys: conversations.api.organizationKeys });
  const documents = createDocumentsModule(settings.documents);
  return {
    modules: [conversations, prompts, documents],
    api: {
      listKeptChats: (userId: string) => [...conversations.api.listKept(userId), ...prompts.api.listKept(userId)],
      waitingAnswers: conversations.api.waitingAnswers,
      isSharedChat: conversations.api.isShared,
    },
  };
}
