import { APPLICATION_SCOPES, type ApplicationScope, type ApplicationUpdate } from "@feather/sdk";
import type { Flag, FlagValues } from "../../command-line.ts";
import { collect, optionalText, parseListOf, repeatedTexts } from "../../flags.ts";

/** Flags that `create` and `update` have in common. */
export const APP_FLAGS: readonly Flag[] = [
  { name: "--redirect <url>", summary: "address to come back to; may be given often", parse: collect },
  {
    name: "--scope <names>",
    summary: `what it may ask for, by comma: ${APPLICATION_SCOPES.join(", ")}`,
    parse: parseListOf(APPLICATION_SCOPES),
  },
  { name: "--description <text>", summary: "what people see of it" },
  { name: "--homepage <url>", summary: "its page; nothing between quotes takes it away" },
  {
    name: "--device <state>",
    summary: "whether it signs people in on devices without a browser",
    choices: ["on", "off"],
  },
  { name: "--logo <url>", summary: "its picture; nothing between quotes takes it away" },
];

/** Returns the properties of an application that the flags set, as request body. */
export function parseAppChanges(flags: FlagValues): ApplicationUpdate {
  const redirects = repeatedTexts(flags.redirect);
  return {
    ...optionalText("description", flags.description),
    ...(typeof flags.homepage === "string" && { homepage_url: flags.homepage || null }),
    ...(typeof flags.logo === "string" && { logo_url: flags.logo || null }),
    ...(typeof flags.device === "string" && { device_flow: flags.device === "on" }),
    ...(redirects.length > 0 && { redirect_uris: [...redirects] }),
    ...(Array.isArray(flags.scope) && { scopes: flags.scope as ApplicationScope[] }),
  };
}
