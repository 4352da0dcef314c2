import { errors } from "../platform/core/errors/index.ts";
import { isRecord } from "./usage/reported-usage.ts";

/** Fields that the model reads. They are limited by its context and by the body limit of the route. */
const PROMPT_FIELDS = new Set(["messages", "system", "input", "instructions", "prompt", "query", "documents"]);
/** Limit in bytes for all fields outside the prompt together. */
export const MAX_OTHER_BYTES = 1024 * 1024;
const MAX_NESTING_DEPTH = 64;
/** Values in one field: object properties plus array items. */
const MAX_FIELD_VALUES = 50_000;
/** The same for the schema fields, which backends compile into a grammar. */
const MAX_SCHEMA_VALUES = 10_000;
const SCHEMA_FIELDS = new Set([
  "response_format",
  "text",
  "output_config",
  "guided_json",
  "json_schema",
  "structured_outputs",
]);

/**
 * Throws `payload_too_large` or `invalid_request` when the fields outside the prompt are too large, too deeply nested
 * or have too many values: they stay in memory while the call waits and cost parsing time that no limit counts.
 */
export function refuseLargeFields(body: Readonly<Record<string, unknown>>): void {
  let bytes = 0;
  for (const field of Object.keys(body)) {
    if (PROMPT_FIELDS.has(field)) continue;
    const value = body[field];
    const maxValues = SCHEMA_FIELDS.has(field) ? MAX_SCHEMA_VALUES : MAX_FIELD_VALUES;
    bytes += measureJson(value, field, maxValues);
    if (bytes > MAX_OTHER_BYTES)
      throw errors.payloadTooLarge(`All fields beside the prompt may hold ${MAX_OTHER_BYTES} bytes together.`, {
        param: field,
        details: { max: MAX_OTHER_BYTES },
      });
  }
}

/** Estimates the size of a value as JSON, in bytes. Throws `invalid_request` above the limits for values and depth. */
function measureJson(value: unknown, field: string, maxValues: number): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 4;
  const pending: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let bytes = 0;
  let values = 0;
  for (let current = pending.pop(); current; current = pending.pop()) {
    const { value: at, depth } = current;
    if (typeof at === "string") bytes += Buffer.byteLength(at);
    else bytes += 4;
    const children = isRecord(at) ? Object.entries(at) : Array.isArray(at) ? at.map((item) => ["", item] as const) : [];
    values += children.length;
    if (values > maxValues)
      throw errors.invalidRequest(`${field} may have at most ${maxValues} properties and items.`, {
        param: field,
        details: { max: maxValues },
      });
    if (children.length > 0 && depth >= MAX_NESTING_DEPTH)
      throw errors.invalidRequest(`${field} may be nested ${MAX_NESTING_DEPTH} levels deep at most.`, {
        param: field,
        details: { max: MAX_NESTING_DEPTH },
      });
    for (const [name, part] of children) {
      bytes += Buffer.byteLength(name);
      pending.push({ value: part, depth: depth + 1 });
    }
  }
  return bytes;
}
