/**
 * Fills the variables of prompts, which are written `{{name}}`.
 *
 * ```ts
 * import { fillPrompt, promptVariables } from "@feather/sdk/prompts";
 *
 * promptVariables("Translate into {{language}}: {{text}}"); // ["language", "text"]
 * fillPrompt("Translate into {{language}}.", { language: "Dutch" }); // "Translate into Dutch."
 * ```
 *
 * @module
 */

/** Letters, digits, underscores and hyphens of any script, at most 40, with or without spaces around them. */
const VARIABLE = /\{\{[ \t]*([\p{L}\p{N}_-]{1,40})[ \t]*\}\}/gu;

/** Returns the names of a prompt's variables, each once, in the order in which they come first. */
export function promptVariables(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name = ""]) => name))];
}

/**
 * Returns a prompt with values in place of its variables. Values are put in as they are: what looks like a variable in one stays.
 * Variables without a value stay too.
 */
export function fillPrompt(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (written, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? "") : written,
  );
}
