import { MODEL_TIMEOUT_MS } from "../../chat/answer.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { sanitize } from "../../output/sanitize.ts";

/** A request to the API. */
export type ApiCall = {
  readonly method: string;
  /** Path below `/api`, with its query. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly contentType: string | undefined;
};

/** A response whose body is unread: `body` for a success, and `error` for statuses of 400 and above. */
export type ApiResult = {
  readonly response: Response;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  readonly error: Error | undefined;
};

/** openapi-fetch's call of any path: its types know the contract's paths only. */
type AnyRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: ApiResult["body"]; error?: unknown; response: Response }>;

/** Sends a request with the caller's credentials. Throws `ConnectionError` or `AbortedError`; error statuses do not throw. */
export async function sendCall(
  context: Context,
  { method, path, headers, body, contentType }: ApiCall,
): Promise<ApiResult> {
  const feather = await context.client();
  const { errorFrom } = await import("@feather/sdk");
  const { data, error, response } = await (feather.request as AnyRequest)(method, path, {
    signal: context.signal,
    timeout: MODEL_TIMEOUT_MS,
    headers: { ...(contentType !== undefined && { "content-type": contentType }), ...Object.fromEntries(headers) },
    ...(body !== undefined && { body, bodySerializer: (bytes: unknown) => bytes }),
    parseAs: "stream",
  });
  const text = typeof error === "string" ? error : JSON.stringify(error ?? null);
  return {
    response,
    body: data ?? null,
    error: response.ok ? undefined : errorFrom(response.status, response.headers, text),
  };
}

/** Returns the status line and the headers as text. */
export function formatHead({ status, statusText, headers }: Response): string {
  return [
    `HTTP ${status} ${statusText}`.trimEnd(),
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
    "",
  ].join("\n");
}

/** Prints the body of a response: formatted JSON, streamed text and events, or bytes. Throws `UsageError` for bytes at a terminal. */
export async function printResponse(
  { io, output }: Context,
  { headers }: Response,
  body: ApiResult["body"],
): Promise<void> {
  const type = headers.get("content-type") ?? "";
  if (body === null) return;
  if (isJson(type)) {
    const text = await new Response(body).text();
    if (text !== "") output.printJson(parseJson(text));
    return;
  }
  const isText = /^(text\/|$)|xml|javascript|x-ndjson/.test(type);
  if (!isText && output.tty) throw new UsageError(`the answer is ${type}, which is nothing for a terminal`, "… > file");
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    // Pipes get the bytes unchanged; at a terminal, control characters are escaped.
    io.stdout.write(output.tty ? sanitize(decoder.decode(chunk.value, { stream: true })) : chunk.value);
  }
}

/** Returns whether a content type is JSON. */
export const isJson = (type: string): boolean => /^application\/([\w.-]+\+)?json/.test(type);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The server called its answer JSON, but it is not.");
  }
}
