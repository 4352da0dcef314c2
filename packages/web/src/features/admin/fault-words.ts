import { isApiError } from "@feather/sdk";

/** What went wrong, in words. What the server says of its own failures helps nobody, but the id of the request does. */
export function faultWords(error: unknown): string {
  if (!isApiError(error)) return "The server cannot be reached. Check the connection and try again.";
  if (error.status < 500) return error.message;
  const where = error.requestId ? ` Its log has it as request ${error.requestId}.` : "";
  return `The server failed at this.${where}`;
}
