import type { IncomingHttpHeaders } from "node:http";
import { type Backend, isOwnBackend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import type { ToCallerFields } from "../formats/caller-fields.ts";
import type { CompletionMeta } from "../formats/chunks.ts";
import { findIgnoredFields } from "../upstream/parameters.ts";

/** Returns the fields that all chunks of an answer share. The id contains the request id, by which its receipt is found. */
export function createCompletionMeta({ id, kind, model, startedAt }: ResolvedCall): CompletionMeta {
  const prefix = kind === "completion" ? "cmpl" : "chatcmpl";
  return { id: `${prefix}-${id}`, created: Math.floor(startedAt.getTime() / 1000), model: model.id };
}

/** The number of fields that the header names. Further ones are left out. */
const MAX_IGNORED = 50;

/** What a backend's response says about ignored fields: its headers, and the fields that it evidently ignored. */
type BackendAnswer = { headers?: IncomingHttpHeaders; passedOver?: readonly string[] };

/**
 * Sets the `x-ignored-params` header to the fields of the call that the backend is not sent or has ignored. The server's
 * own backends name further ones in the same header of their response.
 */
export function setIgnoredParamsHeader(
  { kind, body, ignored: untranslated, exchange, format }: ResolvedCall,
  backend: Backend,
  { headers = {}, passedOver = [] }: BackendAnswer = {},
): void {
  // Callers choose field names, which may have characters that headers must not have.
  const unsent = [...untranslated, ...findIgnoredFields(backend, kind, body), ...passedOver].map((field) =>
    field.replaceAll(/[^\w.-]/g, "_").slice(0, 64),
  );
  const ignored = [
    ...unsent,
    ...(isOwnBackend(backend) ? parseNames(headers["x-ignored-params"], format?.toCallerFields) : []),
  ];
  if (ignored.length > 0) exchange.responseHeaders["x-ignored-params"] = ignored.slice(0, MAX_IGNORED).join(", ");
}

function parseNames(
  header: string | string[] | undefined,
  toCallerFields: ToCallerFields = (given) => given,
): string[] {
  const names = String(header ?? "").split(", ");
  return names.map(toCallerFields).filter((name) => /^[\w.$%!~*'()[\]-]{1,256}$/.test(name));
}
