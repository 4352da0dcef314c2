import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

/** The settings of chats that the server keeps. */
export const conversationSettings = {
  megabytesPerPerson: {
    env: "FEATHER_CHAT_MEGABYTES",
    doc: "How many megabytes the chats of a person may take in an organization that keeps chats on the server, with their files.",
    schema: z.coerce.number().int().min(1).max(1_000_000),
    default: "100",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of chats that the server keeps. */
export type ConversationSettings = SettingsOf<typeof conversationSettings>;
