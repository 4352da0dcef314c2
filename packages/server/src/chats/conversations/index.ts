import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { createConversationsRepository } from "./conversations.repository.ts";
import { conversationRoutes } from "./conversations.routes.ts";
import type { ConversationSettings } from "./conversations.settings.ts";
import { createConversations } from "./conversations.usecases.ts";
import { createListKept } from "./kept-conversations.ts";
import { createDeleteOldConversations } from "./old-conversations.jobs.ts";
import { createOrganizationKeys } from "./organization-keys.ts";
import { createWaitingAnswers } from "./waiting-answers.usecases.ts";

type Ports = {
  db: Database;
  clock: Clock;
  /** Encrypts the keys with which organizations' chats are encrypted. */
  conversationKeySealer: Sealer;
  settings: ConversationSettings;
};

/** Creates the conversations that the server keeps for people. */
export function createConversationsModule({ settings, ...ports }: Ports) {
  const conversationsRepository = createConversationsRepository(ports.db);
  const organizationKeys = createOrganizationKeys(ports);
  const deps = { ...ports, ...settings, conversationsRepository, organizationKeys };
  const conversations = createConversations(deps);
  return {
    routes: conversationRoutes(conversations),
    jobs: [createDeleteOldConversations({ ...ports, conversationsRepository })],
    api: {
      listKept: createListKept({ ...ports, conversationsRepository, conversations }),
      waitingAnswers: createWaitingAnswers(deps),
    },
  };
}
export type { ConversationSettings } from "./conversations.settings.ts";
