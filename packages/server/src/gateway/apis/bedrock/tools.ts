import { type Fields, omitNullish, toRecord } from "../../formats/fields.ts";
import type { CallBody } from "../../formats/parsed-request.ts";
import { unsuitableField } from "../unsuitable.ts";
import { type BlockContext, toCachePoint } from "./blocks.ts";

/**
 * Returns the tools of a chat and which of them is to be called; undefined without any. The API has no choice of none: the
 * tools are left out for it, which it refuses for a conversation with calls.
 */
export function toToolConfig(chat: CallBody, hasCalls: boolean, context: BlockContext): Fields | undefined {
  const { tools, tool_choice: choice } = chat;
  if (!Array.isArray(tools) || tools.length === 0) return undefined;
  if (choice === "none" && hasCalls)
    throw unsuitableField("tool_choice", "cannot be kept from calling tools in a conversation with calls.");
  if (choice === "none") return undefined;
  const specs = tools.map(toRecord).flatMap((tool) => [toTool(tool), ...toCachePoint(tool, context)]);
  return omitNullish({ tools: specs, toolChoice: toToolChoice(choice) });
}

function toTool({ function: given }: Fields): Fields {
  const { name, description, parameters, strict } = toRecord(given);
  const json = parameters ?? { type: "object", properties: {} };
  return { toolSpec: omitNullish({ name, description: description || undefined, inputSchema: { json }, strict }) };
}

function toToolChoice(choice: unknown): Fields | undefined {
  if (choice === undefined) return undefined;
  if (typeof choice === "string") return choice === "required" ? { any: {} } : { auto: {} };
  return { tool: { name: toRecord(toRecord(choice).function).name } };
}
