import type { IncomingHttpHeaders } from "node:http";
import { type Backend, isOwnBackend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import type { ToCallerFields } from "../formats/caller-fields.ts";
import type { CompletionMeta } from "../formats/chunks.ts";
import type { CallBody } from "../formats/parsed-request.ts";
import { countAnswers } from "../formats/token-estimates.ts";
import { findIgnoredFields, findUncarriedPaths } from "../upstream/parameters.ts";

/** Returns the fields that all chunks of an answer share. The id contains the request id, by which its receipt is found. */
export function createCompletionMeta({ id, kind, model, startedAt }: ResolvedCall): CompletionMeta {
  const prefix = kind === "completion" ? "cmpl" : "chatcmpl";
  return { id: `${prefix}-${id}`, created: Math.floor(startedAt.getTime() / 1000), model: model.id };
}

/**
 * Returns the field that asked for more answers than a backend gives, and notes that it gives fewer; none where it gave all
 * of them.
 */
export function findUnansweredField({ body, model }: ResolvedCall, backend: Backend, answers: number): string[] {
  if (answers >= countAnswers(body)) return [];
  backend.modelsWithFewAnswers.add(model.key);
  return [fieldOfAnswers(body)];
}

/** Returns the field that asks for more answers than a backend gave before; none where it gave all of them. */
export function expectUnansweredField({ body, model }: ResolvedCall, backend: Backend): string[] {
  const isShort = countAnswers(body) > 1 && backend.modelsWithFewAnswers.has(model.key);
  return isShort ? [fieldOfAnswers(body)] : [];
}

function fieldOfAnswers({ n }: CallBody): string {
  return typeof n === "number" && n > 1 ? "n" : "prompt";
}

/** A header that names more is cut. */
const MAX_IGNORED = 50;

/** What a backend's response says about ignored fields: its headers, and the fields that it evidently ignored. */
type BackendAnswer = { headers?: IncomingHttpHeaders; passedOver?: readonly string[] };

/**
 * Sets the `x-ignored-params` header to the fields of the call that the backend is not sent or has ignored. The server's
 * own backends name further ones in the same header of their response.
 */
export function setIgnoredParamsHeader(
  call: ResolvedCall,
  backend: Backend,
  { headers = {}, passedOver = [] }: BackendAnswer = {},
): void {
  const { kind, body, ignored: untranslated, exchange, format } = call;
  // A name of the caller may hold what no header may.
  const toCallerFields = format.toCallerFields ?? ((given: string) => given);
  const unsent = [...findIgnoredFields(backend, kind, body), ...passedOver].map(toCallerFields);
  const names = [...untranslated, ...findUncarriedPaths(backend, call), ...unsent].map((field) =>
    field.replaceAll(/[^\w.-]/g, "_").slice(0, 64),
  );
  const named = isOwnBackend(backend) ? parseNames(headers["x-ignored-params"], toCallerFields) : [];
  const ignored = [...new Set([...names, ...named])];
  if (ignored.length > 0) exchange.responseHeaders["x-ignored-params"] = ignored.slice(0, MAX_IGNORED).join(", ");
}

function parseNames(header: string | string[] | undefined, toCallerFields: ToCallerFields): string[] {
  const names = String(header ?? "").split(", ");
  return names.map(toCallerFields).filter((name) => /^[\w.$%!~*'()[\]-]{1,256}$/.test(name));
}
