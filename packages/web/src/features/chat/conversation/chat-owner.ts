import type { Organization } from "@feather/sdk";

/** Where chats are kept, which the organization decides. */
export type ChatStorage = Organization["chat_storage"];
/** Whose chats: those of a user, and of an organization where the server keeps them. */
export type ChatOwner = { userId: string; organizationId: string; storage: ChatStorage };

/** Returns a name that is different for chats that are kept apart. */
export const nameOwner = ({ userId, organizationId, storage }: ChatOwner): string =>
  storage === "server" ? `${userId}-${organizationId}` : storage === "off" ? `${userId}-off` : userId;
