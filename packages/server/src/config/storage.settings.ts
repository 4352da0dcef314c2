import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../platform/core/settings.ts";

/** Settings of the database and the data folder. */
export const storageSettings = {
  dataDir: {
    env: "FEATHER_DATA_DIR",
    doc: "Folder of the embedded database.",
    schema: z.string().min(1),
    default: ".feather",
  },
  databaseUrl: {
    env: "DATABASE_URL",
    doc: "A PostgreSQL server to use instead of the embedded one.",
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    default: undefined,
  },
  databaseDirectUrl: {
    env: "DATABASE_DIRECT_URL",
    doc: "The same PostgreSQL and role without a pooler, where DATABASE_URL leads through one in transaction mode: for locks, leases, messages, migrations and commands. Not beside DATABASE_OWNER_URL, which is used for these.",
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    default: undefined,
  },
  databaseOwnerUrl: {
    env: "DATABASE_OWNER_URL",
    doc: "The same PostgreSQL as its owner, who then migrates it, while the server works as the role of DATABASE_URL, which is granted access to rows alone. Without it the role of DATABASE_URL does both.",
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    default: undefined,
  },
} as const satisfies SettingDeclarations;

/** The settings of the database and the data folder. */
export type StorageSettings = SettingsOf<typeof storageSettings>;
