import type { ChatTool, Tool } from "@feather/sdk";
import type { ChatSettings } from "./settings.ts";

/** How many tools of servers a conversation can use at once: more fill the context of most models. */
export const MAX_CHOSEN_TOOLS = 40;
/** The names that APIs of models accept for functions. */
const CALLABLE_NAME = /^[\w-]{1,64}$/;

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

/** Returns whether models can be offered a tool: their APIs accept fewer names than MCP does. */
export const isOfferable = ({ name }: Pick<Tool, "name">): boolean => CALLABLE_NAME.test(name);

/** Returns the names of the tools of servers that the conversation may use. */
export const chosenTools = ({ mcp_tools }: Pick<ChatSettings, "mcp_tools">): string[] => linesOf(mcp_tools);

/** Returns the settings with other chosen tools. */
export const withChosenTools = (settings: ChatSettings, names: readonly string[]): ChatSettings => ({
  ...settings,
  mcp_tools: names.slice(0, MAX_CHOSEN_TOOLS).join("\n"),
});

const approvalOf = ({ name, fingerprint }: Pick<Tool, "name" | "fingerprint">): string => `${name} ${fingerprint}`;

/** Returns whether a tool may always be called in the conversation. A tool that is described in another way is asked for anew. */
export const isApproved = (
  { approved_tools }: Pick<ChatSettings, "approved_tools">,
  tool: Pick<Tool, "name" | "fingerprint">,
): boolean => linesOf(approved_tools).includes(approvalOf(tool));

/** Returns the settings in which tools may always be called, as they are described now. */
export function withApprovedTools(
  settings: ChatSettings,
  tools: readonly Pick<Tool, "name" | "fingerprint">[],
): ChatSettings {
  const names = new Set(tools.map(({ name }) => name));
  const others = linesOf(settings.approved_tools).filter((line) => !names.has(line.split(" ")[0] ?? ""));
  return { ...settings, approved_tools: [...others, ...tools.map(approvalOf)].join("\n") };
}

/** Returns a tool as calls to models describe it. */
export const toChatTool = ({ name, title, description, input_schema }: Tool): ChatTool => ({
  type: "function",
  function: { name, description: description ?? title ?? "", parameters: input_schema },
});
