import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

/** The limits of calls to tools. */
export const toolSettings = {
  seconds: {
    env: "FEATHER_TOOL_SECONDS",
    doc: "How many seconds a server of tools may take to list its tools or to answer a call.",
    schema: z.coerce.number().int().min(1).max(600),
    default: "60",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The limits of calls to tools. */
export type ToolSettings = SettingsOf<typeof toolSettings>;
