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

/** Sends a request with the caller's credentials. Throws `ConnectionError` or `AbortedError`; error statuses do not throw. */
export async function sendCall(
  context: Context,
  { method, path, headers, body, contentType }: ApiCall,
): Promise<Response> {
  const { signal, settings } = context;
  const secret = await context.secret();
  const allHeaders = new Headers();
  if (secret !== undefined) allHeaders.set("authorization", `Bearer ${secret}`);
  if (body !== undefined && contentType !== undefined) allHeaders.set("content-type", contentType);
  for (const [name, value] of headers) allHeaders.set(name, value);
  const request = new Request(toUrl(settings().baseUrl, path), {
    method,
    headers: allHeaders,
    ...(body !== undefined && { body }),
  });
  const { ConnectionError, AbortedError } = await import("@feather/sdk");
  try {
    return await (await context.fetch())(request, { signal });
  } catch (cause) {
    if (signal.aborted) throw new AbortedError("The request was ended by its signal.", { cause });
    const { origin } = new URL(settings().baseUrl);
    throw new ConnectionError(`The server at ${origin} cannot be reached.`, { cause });
  }
}

function toUrl(baseUrl: string, path: string): string {
  const root = baseUrl.endsWith("/api") ? baseUrl : `${baseUrl}/api`;
  return root + path.replace(/^\/api(?=\/)/, "");
}

/** Returns the response; throws an `ApiError` for statuses of 400 and above. */
export async function throwIfError(response: Response): Promise<Response> {
  if (response.status < 400) return response;
  throw (await import("@feather/sdk")).errorFrom(response.status, response.headers, await response.text());
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
export async function printResponse({ io, output }: Context, response: Response): Promise<void> {
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null) return;
  if (isJson(type)) {
    const text = await response.text();
    if (text !== "") output.printJson(parseJson(text));
    return;
  }
  const isText = /^(text\/|$)|xml|javascript|x-ndjson/.test(type);
  if (!isText && output.tty) throw new UsageError(`the answer is ${type}, which is nothing for a terminal`, "… > file");
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
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
