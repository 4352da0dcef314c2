import { parseExactJson } from "../model/exact-numbers.ts";
import { invalidRequest } from "./errors.ts";

/**
 * Returns a parsed body with the parameters of its tools as the text has them (`parseExactJson`), since templates show them
 * to the model. The rest has JavaScript's numbers. Changes the body in place; throws `invalid_request` for one that is nested
 * too deeply.
 */
export function withExactSchemas(body: unknown, text: string): unknown {
  const functions = listFunctions(body);
  if (functions.length === 0) return body;
  for (const [index, exact] of listFunctions(parseShallow(text)).entries()) {
    const plain = functions[index];
    if (plain !== undefined && "parameters" in exact) plain.parameters = exact.parameters;
  }
  return body;
}

function parseShallow(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    // Revivers call one another, and a text is valid that is deeper than the stack.
    if (error instanceof RangeError) throw invalidRequest("The body is nested too deeply.");
    throw error;
  }
}

/** Returns the functions of a body's tools; tools without a function are left out. */
function listFunctions(body: unknown): Record<string, unknown>[] {
  const tools = isRecord(body) ? body.tools : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.map((tool: unknown) => (isRecord(tool) ? tool.function : undefined)).filter(isRecord);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
