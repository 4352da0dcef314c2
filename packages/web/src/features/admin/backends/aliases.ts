import type { BackendAlias } from "@feather/sdk";

const MODEL_ID = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.:-]{0,95}$/;

/** Whether a text has the form of a model id, `owner/name`. */
export const isModelId = (text: string): boolean => MODEL_ID.test(text) && !/\.(\.|\/|$)/.test(text);

/**
 * Reads one alias a line, `its name there = owner/name`. The id is behind the last `=`, as ids hold none. Returns null if a
 * line is something else.
 */
export function parseAliases(text: string): BackendAlias[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const aliases = lines.flatMap((line) => {
    const at = line.lastIndexOf("=");
    const [name, as] = [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()];
    return name !== "" && isModelId(as) ? [{ name, as }] : [];
  });
  return aliases.length === lines.length ? aliases : null;
}

/** Writes aliases as `parseAliases` reads them. */
export const formatAliases = (aliases: readonly BackendAlias[]): string =>
  aliases.map(({ name, as }) => `${name} = ${as}`).join("\n");
