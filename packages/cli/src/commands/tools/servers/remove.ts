import type { Command } from "../../../command.ts";
import {
  EVERYBODY_FLAG,
  serversOf,
  TOOL_SERVER_ARGUMENT,
  type ToolServerOptions,
  toToolServerOptions,
} from "./tool-server.ts";

/** Removes a server of tools, after confirmation. */
export const toolServersRemove: Command<ToolServerOptions> = {
  name: "tools servers remove",
  summary: "Remove a server of tools",
  description: "Its tools can no longer be called. Calls that are being answered go on to their end.",
  arguments: [TOOL_SERVER_ARGUMENT],
  flags: [EVERYBODY_FLAG],
  confirms: true,
  needs: "sign-in",
  examples: ["feather tools servers remove docs --yes"],
  options: toToolServerOptions,
  async run({ client, confirm, output, signal }, { name, everybody }) {
    const servers = serversOf(await client(), everybody);
    await confirm(async () => `Remove ${name}? Its tools can no longer be called.`);
    await servers.delete(name, { signal });
    output.info(`Removed ${name}.`);
  },
};
