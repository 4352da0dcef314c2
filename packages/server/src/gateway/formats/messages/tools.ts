import {
  type Fields,
  type IgnoredPaths,
  invalidField,
  omitNullish,
  requireArray,
  requireObject,
  requireString,
  toCacheMark,
} from "../fields.ts";

/** Returns the tools as functions of a chat. Tools that Anthropic runs itself are left out and listed as ignored. */
export function toTools(tools: unknown, ignored: IgnoredPaths): Fields[] {
  if (tools === undefined || tools === null) return [];
  return requireArray(tools, "tools").flatMap((raw, at) => {
    const tool = requireObject(raw, `tools[${at}]`);
    const { type, name, description, input_schema, strict } = tool;
    if (type !== undefined && type !== null && type !== "custom") {
      ignored.add(`tools.${String(type)}`);
      return [];
    }
    ignored.addOthers(tool, ["type", "name", "description", "input_schema", "strict", "cache_control"], "tools");
    const definition = omitNullish({
      name: requireString(name, `tools[${at}].name`),
      description,
      parameters: input_schema,
      strict,
    });
    return [{ type: "function", function: definition, ...toCacheMark(tool, "tools", ignored) }];
  });
}

/** Returns the fields of a chat that control tool calls; none without tools. */
export function toToolChoice(choice: unknown, tools: readonly Fields[], ignored: IgnoredPaths): Fields {
  if (choice === undefined || choice === null) return {};
  const fields = requireObject(choice, "tool_choice");
  const { type, name, disable_parallel_tool_use } = fields;
  ignored.addOthers(fields, ["type", "name", "disable_parallel_tool_use"], "tool_choice");
  const parallel = disable_parallel_tool_use === true ? { parallel_tool_calls: false } : {};
  if (tools.length === 0) {
    if (type !== "auto" && type !== "none") ignored.add("tool_choice");
    return {};
  }
  switch (type) {
    case "auto":
    case "none":
      return { ...parallel, tool_choice: type };
    case "any":
      return { ...parallel, tool_choice: "required" };
    case "tool":
      return {
        ...parallel,
        tool_choice: { type: "function", function: { name: requireString(name, "tool_choice.name") } },
      };
    default:
      throw invalidField("tool_choice.type", "auto, any, tool or none");
  }
}
