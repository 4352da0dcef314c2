/** A number with its text in JSON, which `JSON.stringify` writes unchanged. */
type RawNumber = Readonly<{ rawJSON: string }>;

declare global {
  // Part of JavaScript since 2025; the types of TypeScript don't have it yet.
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/**
 * Parses JSON, and keeps numbers as their text where JavaScript would write another one: `1.0`, and integers of more digits
 * than it holds. Models are trained on the text that Python writes, which keeps both. Throws `SyntaxError`.
 */
export function parseExactJson(json: string): unknown {
  return JSON.parse(json, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && source !== String(value) ? JSON.rawJSON(source) : value,
  );
}

/** Returns the value with JavaScript's numbers in place of those that are kept as their text. */
export function toPlainNumbers(value: unknown): unknown {
  if (JSON.isRawJSON(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map(toPlainNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlainNumbers(item)]));
}
