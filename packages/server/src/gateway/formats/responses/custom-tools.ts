import { type Fields, omitNullish, requireString, toRecord } from "../fields.ts";

/** Name of the one parameter of a function that stands for a custom tool. */
const INPUT = "input";

/**
 * The function of a chat that stands for a custom tool, which takes a text and no JSON. Where the text must follow a
 * grammar, the description says so: no backend holds the model to it.
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

/** Names of the custom tools in a request. */
export function listCustomTools(tools: unknown): ReadonlySet<unknown> {
  const custom = Array.isArray(tools) ? tools.map(toRecord).filter(({ type }) => type === "custom") : [];
  return new Set(custom.map(({ name }) => name));
}

/** The text in the arguments of a custom tool's call; the arguments as they are where the model wrote no such JSON. */
export function readCustomInput(text: string): string {
  if (/^\s*(?:\{\s*\})?\s*$/.test(text)) return "";
  try {
    const input = toRecord(JSON.parse(text))[INPUT];
    return typeof input === "string" ? input : text;
  } catch {
    return text;
  }
}

/** The arguments of an earlier call of a custom tool. */
export function toCustomArguments(input: string): string {
  return JSON.stringify({ [INPUT]: input.toWellFormed() });
}
