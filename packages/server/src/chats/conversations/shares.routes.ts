import type { components } from "@feather/openapi/schema";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Share, ShareUseCases } from "./shares.usecases.ts";

type ChatShare = components["schemas"]["ChatShare"];

/** Routes of links to copies of conversations. */
export function shareRoutes(shares: ShareUseCases): Handlers {
  return {
    "chatShares.list": async ({ actor }) => ({ items: (await shares.list(actor)).map(toShareDto) }),
    "chatShares.create": async ({ actor, body }) => toShareDto(await shares.create(actor, body)),
    "chatShares.delete": async ({ actor, path }) => {
      await shares.revoke(actor, path.id);
      return undefined;
    },
    "chatShares.read": async ({ path }) => {
      const { title, messages, createdAt, expiresAt } = await shares.read(path.token);
      return { title, messages, created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() };
    },
  };
}

const toShareDto = ({ id, conversationId, title, url, isReadable, createdAt, expiresAt }: Share): ChatShare => ({
  id,
  conversation_id: conversationId,
  title,
  url,
  is_readable: isReadable,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
});
