import type { Backend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import type { CompletionMeta } from "../formats/chunks.ts";
import { findIgnoredFields } from "../upstream/parameters.ts";

/** The fields that all chunks of the answer share. The id contains the request id, by which receipts are found. */
export function createCompletionMeta({ id, kind, model, startedAt }: ResolvedCall): CompletionMeta {
  const prefix = kind === "completion" ? "cmpl" : "chatcmpl";
  return { id: `${prefix}-${id}`, created: Math.floor(startedAt.getTime() / 1000), model: model.id };
}

/** Sets the `x-ignored-params` header to the fields of the call that the backend is not sent. */
export function setIgnoredParamsHeader(
  { kind, body, ignored: untranslated, exchange }: ResolvedCall,
  backend: Backend,
): void {
  // A name of the caller may hold what no header may.
  const ignored = [...untranslated, ...findIgnoredFields(backend, kind, body)].map((field) =>
    field.replaceAll(/[^\w.-]/g, "_").slice(0, 64),
  );
  if (ignored.length > 0) exchange.responseHeaders["x-ignored-params"] = ignored.slice(0, 50).join(", ");
}
