/** The operations that call a model: the only ones whose handlers send their response themselves, without Fastify. */
export const CALL_OPERATIONS = [
  "chat.completions.create",
  "completions.create",
  "responses.create",
  "messages.create",
  "embeddings.create",
  "deployments.chat.completions.create",
  "deployments.completions.create",
  "deployments.embeddings.create",
] as const;

/** The id of an operation that calls a model. */
export type CallOperation = (typeof CALL_OPERATIONS)[number];

const IDS: ReadonlySet<string> = new Set(CALL_OPERATIONS);

/** Returns whether an operation calls a model. */
export const isCallOperation = (operationId: string): operationId is CallOperation => IDS.has(operationId);
