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
  webFetch: {
    env: "FEATHER_TOOL_WEB_FETCH",
    doc: "Whether the tool feather__fetch_page fetches public web pages for everybody who may call tools: on or off.",
    schema: z.enum(["on", "off"]),
    default: "off",
    editable: true,
  },
  webAllow: {
    env: "FEATHER_TOOL_WEB_ALLOW",
    doc: "What feather__fetch_page may fetch though it is not public, by commas: host, host:port, or a network such as 10.0.0.0/8. Everybody who may call tools reads it.",
    schema: z.string().transform((text) =>
      text
        .split(",")
        .map((entry) => entry.trim())
        .filter(Boolean),
    ),
    default: "",
  },
  searchUrl: {
    env: "FEATHER_TOOL_SEARCH_URL",
    doc: "Address of the search of a SearXNG, such as https://search.example.com/search, which the tool feather__search_web asks. Its settings have to allow the format json. Without it there is no such tool.",
    schema: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional(),
    default: undefined,
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The limits of calls to tools. */
export type ToolSettings = SettingsOf<typeof toolSettings>;
