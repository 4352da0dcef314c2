import { t } from "@lingui/core/macro";
/** Engine arguments by name. */
export type EngineArgs = Record<string, string | number | boolean>;

const MOST = 50;
const LONGEST = 500;

/** Parses arguments, one `name=value` per line. Returns an error message for each invalid line. */
export function parseEngineArgs(text: string): { args: EngineArgs; faults: string[] } {
  const args: EngineArgs = {};
  const faults: string[] = [];
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const [, name = "", value = ""] = /^([A-Za-z][\w.-]*)\s*=\s*(.+)$/.exec(line) ?? [];
    if (name === "") faults.push(t`Line ${index + 1} is not valid: write name=value.`);
    else if (Object.hasOwn(args, name)) faults.push(t`Line ${index + 1} is not valid: ${name} stands there twice.`);
    else if (value.length > LONGEST) faults.push(t`Line ${index + 1} is not valid: ${LONGEST} characters at most.`);
    else Object.defineProperty(args, name, { value: typed(value), enumerable: true, writable: true });
  }
  if (Object.keys(args).length > MOST) faults.push(t`Engine arguments are not valid: ${MOST} at most.`);
  return { args, faults };
}

function typed(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+(\.\d+)?$/.test(text) && text.length < 16 ? Number(text) : text;
}

/** Formats arguments as one `name=value` per line. */
export const writeEngineArgs = (args: EngineArgs): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
