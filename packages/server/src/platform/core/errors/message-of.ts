/**
 * Returns the message of an error for operators. An AggregateError, such as one for each address of a name, has no message,
 * so those of its errors are joined.
 */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

/** Returns the messages of an error and of its causes, for operators: `fetch failed: connect ECONNREFUSED 10.0.0.5:443`. */
export function describeCause(cause: unknown): string {
  const message = messageOf(cause);
  return cause instanceof Error && cause.cause !== undefined ? `${message}: ${describeCause(cause.cause)}` : message;
}
