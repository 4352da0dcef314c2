import type { FastifyRequest } from "fastify";
import { AppError, invalidRequest } from "../shared/errors.ts";
import { isRecord } from "./reported-usage.ts";

/** Fields that the model reads. They are held to its context, and the body as a whole to the limit of the call. */
const PROMPT_FIELDS = new Set(["messages", "system", "input", "instructions", "prompt"]);
/** Bytes of all other fields together. */
export const MAX_OTHER_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
/** Values inside one field: properties of objects and items of lists. */
const MAX_VALUES = 50_000;
/** Those of a form that an answer has to keep to, which is made into a grammar. */
const MAX_FORM_VALUES = 10_000;
const FORM_FIELDS = new Set([
  "response_format",
  "text",
  "output_config",
  "guided_json",
  "json_schema",
  "structured_outputs",
]);

/**
 * Refuses a call whose fields beside the prompt are large, deep or have too many parts: they are kept as long as the call
 * waits, and cost work that nobody counts. Throws `payload_too_large` and `invalid_request`.
 */
export function refuseLargeFields(body: Readonly<Record<string, unknown>>): void {
  let bytes = 0;
  for (const [field, value] of Object.entries(body)) {
    if (PROMPT_FIELDS.has(field)) continue;
    const most = FORM_FIELDS.has(field) ? MAX_FORM_VALUES : MAX_VALUES;
    bytes += bytesOf(value, field, most);
    if (bytes > MAX_OTHER_BYTES)
      throw new AppError(
        413,
        "payload_too_large",
        `All fields beside the prompt may hold ${MAX_OTHER_BYTES} bytes together.`,
        {
          param: field,
          details: { max: MAX_OTHER_BYTES },
        },
      );
  }
}

/** About how many bytes a value has as JSON. */
function bytesOf(value: unknown, field: string, mostValues: number): number {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let bytes = 0;
  let values = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: at, depth } = next;
    if (typeof at === "string") bytes += Buffer.byteLength(at);
    else bytes += 4;
    const inside = isRecord(at) ? Object.entries(at) : Array.isArray(at) ? at.map((item) => ["", item] as const) : [];
    values += inside.length;
    if (values > mostValues)
      throw invalidRequest(`${field} may have at most ${mostValues} properties and items.`, {
        param: field,
        details: { max: mostValues },
      });
    if (inside.length > 0 && depth >= MAX_DEPTH)
      throw invalidRequest(`${field} may be nested ${MAX_DEPTH} levels deep at most.`, {
        param: field,
        details: { max: MAX_DEPTH },
      });
    for (const [name, part] of inside) {
      bytes += Buffer.byteLength(name);
      open.push({ value: part, depth: depth + 1 });
    }
  }
  return bytes;
}

/** Bytes of a request's body. One that does not say counts as the largest there may be. */
export function bodyBytes({ headers, routeOptions }: FastifyRequest): number {
  const said = Number(headers["content-length"]);
  return Number.isSafeInteger(said) && said >= 0 ? said : (routeOptions.bodyLimit ?? 0);
}
