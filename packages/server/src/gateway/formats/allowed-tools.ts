import { invalidField, toRecord } from "./fields.ts";

/**
 * The functions of a chat that `allowed_tools` names. Throws `invalid_request` where it names another, or none: then
 * nothing would be left of what was meant as a restriction.
 */
export function keepAllowedTools(tools: readonly unknown[], names: readonly string[], param: string): unknown[] {
  const kept = tools.filter((tool) => names.includes(nameOf(tool)));
  const offered = new Set(tools.map(nameOf));
  if (kept.length === 0 || !names.every((name) => offered.has(name))) throw invalidField(param, "names of tools");
  return kept;
}

function nameOf(tool: unknown): string {
  return String(toRecord(toRecord(tool).function).name);
}
