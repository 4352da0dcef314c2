import { errors } from "../../platform/core/errors/index.ts";
import type { Backend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import { UnsuitableBackendError } from "../upstream-errors.ts";

/** Throws an `UnsuitableBackendError` if the API of a backend does not answer calls of this kind. */
export function refuseUnansweredKind({ api }: Backend, { kind, model }: ResolvedCall): void {
  if (api.paths[kind] !== undefined) return;
  const lacking = kind === "embedding" ? "embeddings" : "completions of this kind";
  const message = `What runs ${model.id} gives no ${lacking}. Choose another model.`;
  throw new UnsuitableBackendError(errors.unsupportedParameter(message, { param: "model" }), { isLasting: true });
}
