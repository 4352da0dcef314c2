import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

/** The limits of collections of documents. */
export const collectionSettings = {
  passages: {
    env: "FEATHER_COLLECTION_PASSAGES",
    doc: "How many passages of up to 1,200 characters the documents of an organization's collections may have together.",
    schema: z.coerce.number().int().min(1).max(10_000_000),
    default: "50000",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The limits of collections of documents. */
export type CollectionSettings = SettingsOf<typeof collectionSettings>;
