/**
 * The operations that call a model, or take a file: the only ones whose handlers send their response themselves,
 * without Fastify.
 */
export const CALL_OPERATIONS = [
  "chat.completions.create",
  "completions.create",
  "responses.create",
  "messages.create",
  "embeddings.create",
  "rerank.create",
  "moderations.create",
  "images.generate",
  "audio.speech.create",
  "audio.transcriptions.create",
  "audio.translations.create",
  "documents.read",
  "collections.documents.add",
  "deployments.chat.completions.create",
  "deployments.completions.create",
  "deployments.embeddings.create",
] as const;

/** The id of one of these operations. */
export type CallOperation = (typeof CALL_OPERATIONS)[number];

/** Returns whether an operation is one of these. */
export const isCallOperation = (operationId: string): operationId is CallOperation =>
  CALL_OPERATIONS.some((known) => known === operationId);
