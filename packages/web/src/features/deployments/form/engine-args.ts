import { t } from "@lingui/core/macro";
/** Engine arguments by name. */
export type EngineArgs = Record<string, string | number | boolean>;

const MAX_ARGS = 50;
const MAX_ARG_LENGTH = 500;

/** Parses arguments, one `name=value` per line. Returns an error message for each invalid line. */
export function parseEngineArgs(text: string): { args: EngineArgs; errors: string[] } {
  const args: EngineArgs = {};
  const errors: string[] = [];
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const [, name = "", value = ""] = /^([A-Za-z][\w.-]*)\s*=\s*(.+)$/.exec(line) ?? [];
    if (name === "") errors.push(t`Line ${index + 1} is not valid: write name=value.`);
    else if (Object.hasOwn(args, name)) errors.push(t`Line ${index + 1} is not valid: ${name} stands there twice.`);
    else if (value.length > MAX_ARG_LENGTH)
      errors.push(t`Line ${index + 1} is not valid: ${MAX_ARG_LENGTH} characters at most.`);
    else Object.defineProperty(args, name, { value: parseValue(value), enumerable: true, writable: true });
  }
  if (Object.keys(args).length > MAX_ARGS) errors.push(t`Engine arguments are not valid: ${MAX_ARGS} at most.`);
  return { args, errors };
}

function parseValue(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+(\.\d+)?$/.test(text) && text.length < 16 ? Number(text) : text;
}

/** Formats arguments as one `name=value` per line. */
export const formatEngineArgs = (args: EngineArgs): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
