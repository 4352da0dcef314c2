import type { components } from "@feather/openapi/schema";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import type { Conversation } from "./conversation.ts";
import type { ConversationUseCases } from "./conversations.usecases.ts";

type ConversationDto = components["schemas"]["Conversation"];

/** Routes of the caller's conversations in the organization. */
export function conversationRoutes(conversations: ConversationUseCases): Handlers {
  return {
    "conversations.list": async ({ actor, query }) => {
      const page = parsePage(query);
      const { conversations: rows, total } = await conversations.list(actor, page);
      return { items: rows.map(toConversationDto), pagination: toPagination(page, total) };
    },
    "conversations.changes": async ({ actor, query }) => {
      const changes = await conversations.listChanges(actor, query.after ?? 0);
      return {
        items: changes.conversations.map(toConversationDto),
        deleted_ids: changes.deletedIds,
        revision: changes.revision,
        has_more: changes.hasMore,
      };
    },
    "conversations.search": async ({ actor, query }) => ({
      items: (await conversations.search(actor, query.q)).map(({ conversation, excerpt }) => ({
        conversation: toConversationDto(conversation),
        excerpt,
      })),
    }),
    "conversations.get": async ({ actor, path }) => toConversationDto(await conversations.get(actor, path.id)),
    "conversations.put": async ({ actor, path, body }) =>
      toConversationDto(await conversations.put(actor, path.id, body)),
    "conversations.delete": async ({ actor, path }) => {
      await conversations.delete(actor, path.id);
      return undefined;
    },
    "conversations.deleteAll": async ({ actor }) => {
      await conversations.deleteAll(actor);
      return undefined;
    },
    "conversations.entries": async ({ actor, path, query }) => {
      const { entries, nextAfter } = await conversations.listEntries(actor, path.id, query.after ?? 0);
      return { items: entries, next_after: nextAfter };
    },
    "conversations.putEntries": async ({ actor, path, body }) => {
      await conversations.putEntries(actor, path.id, body.items);
      return undefined;
    },
  };
}

const toConversationDto = ({
  id,
  fields,
  version,
  createdAt,
  updatedAt,
  deletedAt,
}: Conversation): ConversationDto => ({
  id,
  ...fields,
  version,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
  deleted_at: deletedAt?.toISOString() ?? null,
});
