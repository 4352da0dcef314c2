import { isApiError } from "@feather/sdk";
import type { PageError } from "#/components/layouts/error-view.tsx";

/** Converts any thrown value to the error that `ErrorView` shows. */
export function toPageError(error: unknown): PageError {
  if (isApiError(error)) {
    const { status, message, code, requestId } = error;
    return {
      statusCode: status,
      message,
      requestId,
      ...(code !== null && { data: JSON.stringify({ code, message }) }),
    };
  }
  return { statusCode: 500, message: error instanceof Error ? error.message : String(error) };
}
