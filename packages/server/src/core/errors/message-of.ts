/** The message of an error for operators. An error of several has none of its own: one for each address of a name. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

/** The messages of a cause and of its causes, for operators: `fetch failed: connect ECONNREFUSED 10.0.0.5:443`. */
export function describeCause(cause: unknown): string {
  const message = messageOf(cause);
  return cause instanceof Error && cause.cause !== undefined ? `${message}: ${describeCause(cause.cause)}` : message;
}
