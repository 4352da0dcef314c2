import { type Tool, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import publishedDraft7 from "ajv/dist/refs/json-schema-draft-07.json" with { type: "json" };

/** The tools of a server, and why others are left out, in sentences. */
export type ReadTools = { tools: Tool[]; problems: string[] };

/** Names as MCP describes them. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const MAX_QUOTED_CHARACTERS = 60;

const schemas = new Ajv2020({ strict: false, validateFormats: false, logger: false });
schemas.addMetaSchema({
  ...publishedDraft7,
  // Without `uniqueItems`: to find equal values, each is compared with each, which takes minutes in a list of many.
  properties: { ...publishedDraft7.properties, enum: { type: "array", items: true } },
});

/** Returns whether a tool can have a name. */
export const isToolName = (name: string): boolean => NAME.test(name);

/** Reads what a server says of its tools. Those that nobody could call are left out. */
export function readTools(found: readonly unknown[]): ReadTools {
  const tools = new Map<string, Tool>();
  const problems: string[] = [];
  for (const [index, one] of found.entries()) {
    const { data: tool } = ToolSchema.safeParse(one);
    const problem = tool === undefined ? "it is not described as MCP asks" : findProblem(tool, tools);
    if (tool !== undefined && problem === null) tools.set(tool.name, tool);
    else problems.push(`The tool ${nameOf(one) ?? `at position ${index + 1}`} is left out: ${problem}.`);
  }
  return { tools: [...tools.values()], problems };
}

function findProblem({ name, inputSchema, execution }: Tool, others: ReadonlyMap<string, Tool>): string | null {
  if (!isToolName(name)) return "its name has other characters than letters, digits, underscores, dots and hyphens";
  if (others.has(name)) return "another one has its name";
  if (execution?.taskSupport === "required") return "it can be called as a task only, which is not supported";
  return isJsonSchema(inputSchema) ? null : "the schema of its arguments is not JSON Schema";
}

/** Returns whether a value is valid JSON Schema. It is not compiled, since it comes from elsewhere. */
function isJsonSchema(value: object): boolean {
  try {
    return schemas.validateSchema(value) === true;
  } catch {
    return false; // a dialect that is not known
  }
}

function nameOf(tool: unknown): string | null {
  const { name } = (tool ?? {}) as { name?: unknown };
  return typeof name === "string" && name !== "" ? name.slice(0, MAX_QUOTED_CHARACTERS) : null;
}
