import { isApiError } from "@feather/sdk";
import { isRouteErrorResponse } from "react-router-dom";
import type { PageError } from "#/components/layouts/error-view.tsx";

/** Whatever was thrown, in the form that the error view shows. */
export function pageErrorOf(error: unknown): PageError {
  if (isApiError(error)) {
    const { status, message, code, requestId } = error;
    return {
      statusCode: status,
      message,
      requestId,
      ...(code !== null && { data: JSON.stringify({ code, message }) }),
    };
  }
  if (isRouteErrorResponse(error)) return { statusCode: error.status, statusMessage: error.statusText };
  return { statusCode: 500, message: error instanceof Error ? error.message : String(error) };
}
