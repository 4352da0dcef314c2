import type { components } from "@feather/openapi/schema";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";

/** A message, as callers send and get it. */
export type Entry = components["schemas"]["ConversationEntry"];
/** What a client sets of a conversation. */
export type ConversationWrite = components["schemas"]["ConversationWrite"];
/** The part of a conversation that is encrypted. */
export type SealedFields = Pick<ConversationWrite, "title" | "is_named" | "models" | "settings" | "selected">;

/** Whose conversations: a person's in an organization. */
export type Owner = { organizationId: string; userId: string };

/** Returns what people write and read in a message, for the search. */
export const textOf = ({ text, question }: Entry): string =>
  [text, ...(question?.attachments ?? []).map(({ name }) => name)].join("\n");

/** A conversation whose fields are decrypted. */
export type Conversation = {
  id: string;
  fields: SealedFields;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
};

type Row = {
  id: string;
  sealed_fields: Buffer;
  version: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
};

/** Decrypts a conversation. Throws if it was encrypted with another key. */
export const toConversation = (row: Row, { sealer }: { sealer: Sealer }): Conversation => ({
  id: row.id,
  fields: JSON.parse(sealer.open(row.sealed_fields)) as SealedFields,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedAt: row.deleted_at,
});
