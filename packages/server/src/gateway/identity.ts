import type { Backend } from "./backends/registry.ts";
import type { ResolvedCall } from "./call.ts";
import type { Identity } from "./formats/chunks.ts";
import { ignoredBy } from "./parameters.ts";

/** What every part of the answer carries. Its id holds the id of the request, so that receipts can be found by it. */
export function identityOf({ id, kind, model, startedAt }: ResolvedCall): Identity {
  const prefix = kind === "completion" ? "cmpl" : "chatcmpl";
  return { id: `${prefix}-${id}`, created: Math.floor(startedAt.getTime() / 1000), model: model.id };
}

/** Says in a header which fields of the call did not reach the model. */
export function noteIgnored({ kind, body, ignored: lost, reply }: ResolvedCall, backend: Backend): void {
  const ignored = [...lost, ...ignoredBy(backend, kind, body)].filter((field) => /^[\w.-]{1,64}$/.test(field));
  if (ignored.length > 0 && !reply.sent) reply.header("x-ignored-params", ignored.slice(0, 50).join(", "));
}
