import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { toConnectionFailure } from "../../gateway/index.ts";
import { hasCode } from "../../platform/core/errors/index.ts";
import { BodyTooLongError } from "../../platform/core/http/read-limited.ts";
import { SECOND_MS } from "../../platform/core/time.ts";

/** Why a server of tools gave no usable answer. The message is a sentence about it, which begins with "It". */
export class ToolServerError extends Error {
  override readonly name = "ToolServerError";
}

const MAX_QUOTED_CHARACTERS = 500;

/**
 * Returns why a request to a server of tools failed, without its address, which may hold a secret, and without the secret that it
 * was sent, which servers may quote.
 */
export function toToolServerError(error: unknown, timeoutMs: number, secret?: string): ToolServerError {
  if (error instanceof ToolServerError) return error;
  return new ToolServerError(describeError(error, timeoutMs, secret), { cause: error });
}

/** Replaces a secret in a text, also without the scheme before it, such as `Bearer`. */
function hideSecret(text: string, secret = ""): string {
  const token = secret.slice(secret.indexOf(" ") + 1);
  return token === "" ? text : text.replaceAll(token, "[secret]");
}

function describeError(error: unknown, timeoutMs: number, secret?: string): string {
  if (hasCode(error, "outgoing.address_refused"))
    return "Its address is not public, and the operator does not allow it.";
  if (error instanceof BodyTooLongError) return error.message;
  if (error instanceof McpError)
    return `It reported an error: ${hideSecret(error.message, secret)
      .replace(/^MCP error -?\d+: /, "")
      .slice(0, MAX_QUOTED_CHARACTERS)}`;
  if (error instanceof StreamableHTTPError) return describeStatus(error.code ?? 0);
  const { name, cause } = error instanceof Error ? error : new Error();
  if (name === "TimeoutError") return `It did not answer within ${timeoutMs / SECOND_MS} seconds.`;
  if (name === "AbortError") return "The caller did not wait for its answer.";
  if (name === "SyntaxError" || name === "ZodError" || name === "$ZodError")
    return "It does not answer as MCP describes.";
  return toConnectionFailure(cause ?? error, timeoutMs).error;
}

function describeStatus(status: number): string {
  if (status === 401 || status === 403) return `It refused the credentials (status ${status}).`;
  if (status >= 300 && status < 400) return `It redirected to another place (status ${status}), which is not followed.`;
  return status > 0 ? `It answered with status ${status}.` : "It answered neither in JSON nor as an event stream.";
}
