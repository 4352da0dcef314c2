import type { z } from "zod";
import { type ApiError, invalidRequest } from "./errors.ts";

/** Checks a JSON body; throws an `invalid_request` error that names the first wrong field. Unknown fields are dropped. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw toApiError(result.error);
}

function toApiError(error: z.ZodError): ApiError {
  const [issue] = error.issues;
  const path = issue?.path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
  if (!path) return invalidRequest("The body must be a JSON object with the fields of this call.");
  return invalidRequest(`${path} is not valid: ${issue?.message ?? "wrong value"}.`, path);
}
