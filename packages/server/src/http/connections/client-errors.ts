import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { renderError } from "../../platform/core/errors/envelopes.ts";
import { type AppError, errors } from "../../platform/core/errors/index.ts";
import { toJsonText } from "../../platform/core/http/json-text.ts";
import type { EarlyAnswers } from "./early-answers.ts";

/** An error of Node's HTTP server about bytes that do not form a request. */
type ClientError = { code?: string | undefined };

/**
 * Returns the handler that responds to incomplete and malformed requests with 408, 413, 431 or 400, and closes the
 * connection.
 */
export function createClientErrorHandler(
  earlyAnswers: Pick<EarlyAnswers, "close">,
): (error: ClientError, socket: Socket) => void {
  return ({ code }, socket) => {
    if (code === "ECONNRESET" || socket.destroyed) return;
    closeWithError(socket, toClientError(code), earlyAnswers);
  };
}

/** Writes an error as the response on a connection whose path is unknown, and closes it. */
export function closeWithError(socket: Socket, error: AppError, earlyAnswers: Pick<EarlyAnswers, "close">): void {
  const body = toJsonText(renderError(error, "", ""));
  const headers = {
    ...error.headers,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "x-content-type-options": "nosniff",
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (socket.writable)
    socket.write(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join("")}\r\n${body}`);
  earlyAnswers.close(socket);
}

function toClientError(code: string | undefined): AppError {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return errors.invalidRequest("The request did not arrive in time.", { status: 408 });
    case "HPE_HEADER_OVERFLOW":
      return errors.invalidRequest("The headers of the request are too large.", { status: 431 });
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return errors.payloadTooLarge("The chunks of the body have too many extensions.");
    default:
      return errors.invalidRequest("This is no HTTP request.");
  }
}
