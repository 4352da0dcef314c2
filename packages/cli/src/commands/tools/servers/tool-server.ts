import type { Feather, ToolServer } from "@feather/sdk";
import type { Flag, FlagValues } from "../../../command-line.ts";

/** Fields that `--json` accepts. */
export const TOOL_SERVER_FIELDS = [
  "name",
  "url",
  "header_name",
  "is_secret_set",
  "allowed_tools",
  "is_enabled",
  "created_by_name",
  "updated_at",
] as const satisfies readonly (keyof ToolServer)[];

/** The argument that names a server. */
export const TOOL_SERVER_ARGUMENT = { name: "<name>", summary: "its name: feather tools servers list" } as const;

/** Chooses between the servers of the organization and those for everybody. */
export const EVERYBODY_FLAG: Flag = { name: "--everybody", summary: "those for everybody; for admins of the platform" };

/** Which server, and whose. */
export type ToolServerOptions = { readonly name: string; readonly everybody: boolean };

/** Reads the name of a server, and whose it is. */
export const toToolServerOptions = ([name = ""]: readonly string[], flags: FlagValues): ToolServerOptions => ({
  name,
  everybody: flags.everybody === true,
});

/** Returns the calls for servers of the organization, or for those for everybody. */
export const serversOf = (feather: Feather, everybody: boolean) =>
  everybody ? feather.admin.toolServers : feather.toolServers;
