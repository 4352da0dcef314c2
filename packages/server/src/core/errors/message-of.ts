/** The message of an error for operators. An error of several has none of its own: one for each address of a name. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
