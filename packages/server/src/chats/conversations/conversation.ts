import type { components } from "@feather/openapi/schema";
import type { Sealer } from "../../platform/core/secrets/sealing.ts";

/** A message, as callers send and get it. */
export type Entry = components["schemas"]["ConversationEntry"];
/** What a client sets of a conversation. */
export type ConversationWrite = components["schemas"]["ConversationWrite"];
/** The part of a conversation that is encrypted. */
export type SealedFields = Pick<
  components["schemas"]["Conversation"],
  "title" | "is_named" | "models" | "settings" | "selected" | "is_pinned" | "is_archived" | "folder"
>;
/** Where a conversation is in the list of a person. */
type Place = Pick<SealedFields, "is_pinned" | "is_archived" | "folder">;

/** Whose conversations: a person's in an organization. */
export type Owner = { organizationId: string; userId: string };

const NO_PLACE: Place = { is_pinned: false, is_archived: false, folder: null };

/** Returns where a conversation is after a change; fields that the change leaves out stay as they are. */
export const toPlace = (change: Partial<Place>, stored: Place = NO_PLACE): Place => ({
  is_pinned: change.is_pinned ?? stored.is_pinned,
  is_archived: change.is_archived ?? stored.is_archived,
  folder: change.folder === undefined ? stored.folder : change.folder,
});

/** Returns the names of a conversation, for the search. */
export const namesOf = ({ title, folder }: SealedFields): string => (folder === null ? title : `${title}\n${folder}`);

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
  // Those that were stored before conversations had a place lack its fields.
  fields: { ...NO_PLACE, ...(JSON.parse(sealer.open(row.sealed_fields)) as SealedFields) },
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedAt: row.deleted_at,
});
