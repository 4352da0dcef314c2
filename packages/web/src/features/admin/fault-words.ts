import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { wordsOf } from "#/lib/fault.ts";

/** Returns the message for an error. Server errors show the request id instead of the server's text. */
export function faultWords(error: unknown): string {
  if (!isApiError(error)) return t`The server cannot be reached. Check the connection and try again.`;
  if (error.status < 500) return wordsOf(error);
  const { requestId } = error;
  if (!requestId) return t`The server failed at this.`;
  return t`The server failed at this. Its log has it as request ${requestId}.`;
}
