import { type Fields, omitNullish, requireString, toRecord } from "../fields.ts";

/** The name of the only parameter of a function that replaces a custom tool. */
const INPUT = "input";

/**
 * Returns the function that replaces a custom tool, which takes a text instead of JSON. If the text must follow a grammar,
 * only the description says so: no backend enforces it.
 */
export function toFunction(tool: Fields, param: string): Fields {
  const { description, format } = tool;
  const { syntax, definition } = toRecord(format);
  const rule =
    typeof definition === "string" ? `The input follows this ${String(syntax ?? "")} grammar:\n${definition}` : null;
  const text = [description, rule].filter((part) => typeof part === "string" && part !== "").join("\n\n");
  const definitionOfFunction = omitNullish({
    name: requireString(tool.name, `${param}.name`),
    description: text === "" ? undefined : text,
    parameters: {
      type: "object",
      properties: { [INPUT]: { type: "string", description: "The whole input of the tool, as plain text." } },
      required: [INPUT],
      additionalProperties: false,
    },
  });
  return { type: "function", function: definitionOfFunction };
}

/** Returns the names of the custom tools in a request. */
export function listCustomTools(tools: unknown): ReadonlySet<unknown> {
  const custom = Array.isArray(tools) ? tools.map(toRecord).filter(({ type }) => type === "custom") : [];
  return new Set(custom.map(({ name }) => name));
}

/** Returns the text in the arguments of a custom tool's call. Arguments in another form are returned unchanged. */
export function readCustomInput(text: string): string {
  if (/^\s*(?:\{\s*\})?\s*$/.test(text)) return "";
  try {
    const input = toRecord(JSON.parse(text))[INPUT];
    return typeof input === "string" ? input : text;
  } catch {
    return text;
  }
}

/** Returns the arguments of an earlier call of a custom tool. */
export function toCustomArguments(input: string): string {
  return JSON.stringify({ [INPUT]: input.toWellFormed() });
}
