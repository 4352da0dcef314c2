import type { ToolServerSetRequest } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { readAll } from "../../../input.ts";
import {
  EVERYBODY_FLAG,
  serversOf,
  TOOL_SERVER_FIELDS,
  type ToolServerOptions,
  toToolServerOptions,
} from "./tool-server.ts";

/** The server, and where its secret comes from. */
type ToolServersAddOptions = ToolServerOptions & {
  readonly body: ToolServerSetRequest;
  /** Whether the secret comes on stdin. */
  readonly withSecret: boolean;
};

/** Registers a server of tools, or changes the one of the name. Its secret is asked for at a terminal. */
export const toolServersAdd: Command<ToolServersAddOptions> = {
  name: "tools servers add",
  summary: "Register or change a server of tools that speaks MCP",
  description:
    "The server speaks streamable HTTP of the Model Context Protocol. What is registered under the name is replaced. With --header, its secret is asked for at a terminal.",
  arguments: [
    { name: "<name>", summary: "small letters, digits and hyphens; the names of its tools begin with it" },
    { name: "<url>", summary: "its address, beginning with https://" },
  ],
  flags: [
    { name: "--header <name>", summary: "the header of its secret, such as Authorization" },
    { name: "--secret <source>", summary: "-: read the secret from stdin", choices: ["-"] },
    { name: "--tools <names>", summary: "the tools that may be called, by comma; all if left out" },
    { name: "--off", summary: "register it without letting anybody call its tools" },
    EVERYBODY_FLAG,
  ],
  prints: "one",
  fields: TOOL_SERVER_FIELDS,
  needs: "sign-in",
  examples: [
    "feather tools servers add docs https://mcp.example.com/mcp",
    "feather tools servers add docs https://mcp.example.com/mcp --header Authorization --secret - < token.txt",
    "feather tools servers add docs https://mcp.example.com/mcp --tools search,read",
  ],
  options([name = "", url = ""], flags) {
    const header = typeof flags.header === "string" ? flags.header : null;
    if (flags.secret === "-" && header === null)
      throw new UsageError("--secret needs --header", "--header Authorization");
    const allowed = typeof flags.tools === "string" ? flags.tools.split(",").map((one) => one.trim()) : null;
    return {
      ...toToolServerOptions([name], flags),
      body: { url, header_name: header, allowed_tools: allowed, is_enabled: flags.off !== true },
      withSecret: flags.secret === "-",
    };
  },
  async run({ client, io, output, askSecret, signal }, { name, everybody, body, withSecret }) {
    const servers = serversOf(await client(), everybody);
    const secret = body.header_name
      ? (withSecret ? await readAll(io.stdin) : await askSecret(`Value of ${body.header_name}`, "--secret -")).trim()
      : null;
    if (secret === "") throw new UsageError("there was no secret", "--secret - < token.txt");
    const stored = await servers.set(name, { ...body, ...(secret !== null && { header_value: secret }) }, { signal });
    output.printChange({ value: stored, id: stored.name, message: `Registered ${stored.name}.` });
    output.hint(`See its tools: feather tools servers show ${stored.name}${everybody ? " --everybody" : ""}`);
  },
};
