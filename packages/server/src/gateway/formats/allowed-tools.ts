import { invalidField, toRecord } from "./fields.ts";

/**
 * Returns the tools of a chat that `allowed_tools` names. Throws `invalid_request` if it names an unknown tool or none:
 * without tools, the restriction would have no effect.
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
