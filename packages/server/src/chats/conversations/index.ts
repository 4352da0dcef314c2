import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";
import { createConversationsRepository } from "./conversations.repository.ts";
import { conversationRoutes } from "./conversations.routes.ts";
import type { ConversationSettings } from "./conversations.settings.ts";
import { createConversations } from "./conversations.usecases.ts";
import { createListKept } from "./kept-conversations.ts";
import { createDeleteOldConversations } from "./old-conversations.jobs.ts";
import { createOrganizationKeys } from "./organization-keys.ts";
import { createSharesRepository } from "./shares.repository.ts";
import { shareRoutes } from "./shares.routes.ts";
import { createShares } from "./shares.usecases.ts";
import { createWaitingAnswers } from "./waiting-answers.usecases.ts";

type Ports = {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  /** Address of the site, without a slash at its end. */
  publicUrl: string;
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
  const sharesRepository = createSharesRepository(ports.db);
  const shares = createShares({ ...deps, sharesRepository });
  return {
    routes: { ...conversationRoutes(conversations), ...shareRoutes(shares) },
    jobs: [createDeleteOldConversations({ ...ports, conversationsRepository, sharesRepository })],
    api: {
      listKept: createListKept({ ...ports, conversationsRepository, conversations, shares }),
      waitingAnswers: createWaitingAnswers(deps),
      isShared: shares.isShared,
      /** The keys with which organizations' chats, prompts and collections are encrypted. */
      organizationKeys,
    },
  };
}
/** The conversations that the server keeps for people. */
export type ConversationsModule = ReturnType<typeof createConversationsModule>;
export type { ConversationSettings } from "./conversations.settings.ts";
export type { OrganizationKey, OrganizationKeys } from "./organization-keys.ts";
export { hashesOf, hashesOfQuery, wordsOf } from "./words.ts";
