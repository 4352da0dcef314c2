import type { Logger } from "pino";
import type { EmbedTexts, ModelLookup } from "../gateway/index.ts";
import type { Audit } from "../platform/core/audit.ts";
import type { Clock } from "../platform/core/clock.ts";
import type { Database } from "../platform/core/db/connect.ts";
import type { Ids } from "../platform/core/ids.ts";
import type { Sealer } from "../platform/core/secrets/sealing.ts";
import { type CollectionSettings, createCollectionsModule } from "./collections/index.ts";
import { type ConversationSettings, createConversationsModule } from "./conversations/index.ts";
import { createDocumentsModule, type DocumentSettings } from "./documents/index.ts";
import { createPromptsModule } from "./prompts/index.ts";

type Ports = {
  db: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  audit: Audit;
  publicUrl: string;
  /** Encrypts the keys with which organizations' chats and collections are encrypted. */
  conversationKeySealer: Sealer;
  models: Pick<ModelLookup, "find">;
  registry: Parameters<typeof createCollectionsModule>[0]["registry"];
  embedTexts: EmbedTexts;
  settings: { conversations: ConversationSettings; documents: DocumentSettings; collections: CollectionSettings };
};

/** Creates what people keep of their chats, their prompts, what reads the documents that they send, and collections of documents. */
export function createChats({ settings, ...ports }: Ports) {
  const conversations = createConversationsModule({ ...ports, settings: settings.conversations });
  const prompts = createPromptsModule({ ...ports, organizationKeys: conversations.api.organizationKeys });
  const documents = createDocumentsModule(settings.documents);
  const collections = createCollectionsModule({
    ...ports,
    ...conversations.api,
    ...documents.api,
    settings: settings.collections,
  });
  return {
    modules: [conversations, prompts, documents, collections],
    api: {
      /** Returns what is kept of a user's chats, prompts and collections, as far as the scopes allow to read it. */
      listKept: ({ userId, scopes }: { userId: string; scopes: readonly string[] }) => [
        ...(scopes.includes("chats.write")
          ? [...conversations.api.listKept(userId), ...prompts.api.listKept(userId)]
          : []),
        ...(scopes.includes("collections.write") ? collections.api.listKept(userId) : []),
      ],
      readDocument: documents.api.readDocument,
      waitingAnswers: conversations.api.waitingAnswers,
      isSharedChat: conversations.api.isShared,
    },
  };
}
