import { errors } from "../../platform/core/errors/index.ts";
import type { Backend } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import type { CallKind } from "../formats/parsed-request.ts";
import { UnsuitableBackendError } from "../upstream-errors.ts";

/** What calls other than for completions ask for. */
const LACKING: Readonly<Partial<Record<CallKind, string>>> = {
  embedding: "embeddings",
  rerank: "scores of texts",
  moderation: "classifications of texts",
  image: "pictures",
  speech: "speech",
  transcription: "transcriptions",
  translation: "translations of speech",
};

/** Throws an `UnsuitableBackendError` if the API of a backend does not answer calls of this kind. */
export function refuseUnansweredKind({ api }: Backend, { kind, model }: ResolvedCall): void {
  if (api.paths[kind] !== undefined) return;
  const lacking = LACKING[kind] ?? "completions of this kind";
  const message = `What runs ${model.id} gives no ${lacking}. Choose another model.`;
  throw new UnsuitableBackendError(errors.unsupportedParameter(message, { param: "model" }), { isLasting: true });
}
