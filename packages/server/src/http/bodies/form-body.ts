import formbody from "@fastify/formbody";
import type { FastifyInstance } from "fastify";
import { errors } from "../../platform/core/errors/index.ts";

const MAX_FORM_FIELDS = 100;

/** Registers the parser of URL-encoded forms. */
export async function addFormParser(app: FastifyInstance): Promise<void> {
  await app.register(formbody, { parser: parseForm });
}

/** Returns the fields of a form by name. Throws `invalid_request` for too many fields and for repeated ones. */
export function parseForm(text: string): Record<string, string> {
  // Fields are counted before parsing, since each takes memory.
  if (text.split("&", MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
    throw errors.invalidRequest(`A form may hold at most ${MAX_FORM_FIELDS} fields.`);
  const fields = [...new URLSearchParams(text)];
  const seen = new Set<string>();
  for (const [name] of fields) {
    if (seen.has(name)) throw errors.invalidRequest(`${name} is sent more than once.`, { param: name });
    seen.add(name);
  }
  return Object.fromEntries(fields);
}
