import Mustache from "mustache";
import { UsageError } from "../../errors.ts";

/** What stands for characters that are hard to type in a shell. */
const ESCAPES: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t", "\\\\": "\\" };

/**
 * Creates a function that fills in a Mustache template: for each item of a list one text, else one for the value. Values are not
 * escaped; `\n` and `\t` are a line break and a tab. Throws `UsageError` for a text that is no template.
 */
export function createTemplateFilter(text: string): (value: unknown) => string {
  const template = text.replaceAll(/\\[nt\\]/g, (written) => ESCAPES[written] ?? written);
  try {
    Mustache.parse(template);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${text} is no template: ${reason}`, "--template '{{id}} {{name}}'");
  }
  const fillIn = (item: unknown) => Mustache.render(template, item, undefined, { escape: toText });
  return (value) => itemsOf(value).map(fillIn).join("\n");
}

/** Returns a value of an item as text: objects and lists as JSON. */
const toText = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const { items } = (value ?? {}) as { items?: unknown };
  return Array.isArray(items) ? items : [value];
}
