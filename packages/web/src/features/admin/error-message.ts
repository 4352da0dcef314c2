import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { apiErrorMessage } from "#/lib/error-message.ts";

/** Returns the message for an error. Server errors show the request id instead of the server's text. */
export function errorMessage(error: unknown): string {
  if (!isApiError(error)) return t`The server cannot be reached. Check the connection and try again.`;
  if (error.status < 500) return apiErrorMessage(error);
  const { requestId } = error;
  if (!requestId) return t`The server failed at this.`;
  return t`The server failed at this. Its log has it as request ${requestId}.`;
}
