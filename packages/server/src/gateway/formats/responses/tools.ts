import { keepAllowedTools } from "../allowed-tools.ts";
import {
  type Fields,
  type IgnoredPaths,
  omitNullish,
  requireArray,
  requireObject,
  requireString,
  toRecord,
} from "../fields.ts";
import { toFunction } from "./custom-tools.ts";

/** Returns the fields of a chat about tools; none without tools. */
export function toToolFields(request: Fields, ignored: IgnoredPaths): Fields {
  const tools = toTools(request.tools, ignored);
  const { tool_choice: choice, parallel_tool_calls } = request;
  if (tools.length > 0) return { ...toToolChoice(choice, tools, ignored), parallel_tool_calls };
  if (choice !== undefined && choice !== null && choice !== "auto" && choice !== "none") ignored.add("tool_choice");
  return {};
}

/** Returns the tools as functions of a chat. Tools that OpenAI runs itself are left out and listed as ignored. */
function toTools(tools: unknown, ignored: IgnoredPaths): Fields[] {
  if (tools === undefined || tools === null) return [];
  return requireArray(tools, "tools").flatMap((raw, at) => {
    const tool = requireObject(raw, `tools[${at}]`);
    const { type, name, description, parameters, strict } = tool;
    if (type === "custom") {
      ignored.addOthers(tool, ["type", "name", "description", "format"], "tools");
      ignored.addOthers(toRecord(tool.format), ["type", "syntax", "definition"], "tools.format");
      return [toFunction(tool, `tools[${at}]`)];
    }
    if (type !== "function") {
      ignored.add(`tools.${String(type)}`);
      return [];
    }
    ignored.addOthers(tool, ["type", "name", "description", "parameters", "strict"], "tools");
    const definition = omitNullish({ name: requireString(name, `tools[${at}].name`), description, parameters, strict });
    return [{ type: "function", function: definition }];
  });
}

function toToolChoice(choice: unknown, tools: Fields[], ignored: IgnoredPaths): Fields {
  if (choice === undefined || choice === null || typeof choice === "string") return { tools, tool_choice: choice };
  const fields = requireObject(choice, "tool_choice");
  const { type, name, mode, tools: allowed } = fields;
  ignored.addOthers(fields, ["type", "name", "mode", "tools"], "tool_choice");
  if (type === "function" || type === "custom") {
    const called = { name: requireString(name, "tool_choice.name") };
    return { tools, tool_choice: { type: "function", function: called } };
  }
  if (type === "allowed_tools") {
    const names = requireArray(allowed, "tool_choice.tools").map((tool, at) =>
      requireString(toRecord(tool).name, `tool_choice.tools[${at}].name`),
    );
    return { tools: keepAllowedTools(tools, names, "tool_choice.tools"), tool_choice: mode ?? "auto" };
  }
  ignored.add("tool_choice");
  return { tools };
}
