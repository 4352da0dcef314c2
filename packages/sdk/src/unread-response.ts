import { type TransportResponse, toRequestError } from "./transport.ts";

const CONNECTION_BROKEN_MESSAGE = "The connection broke in the middle of the answer.";

/**
 * Returns the response with its body unread. The caller's signal and the time limit apply until the body is read, cancelled
 * or broken; event streams have no time limit. Reading throws `AbortedError`, `TimeoutError` or `ConnectionError`.
 */
export function toUnreadResponse({ response, controller, clearTimeLimit, release }: TransportResponse): Response {
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) clearTimeLimit();
  if (response.body === null) {
    release();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(queue) {
      try {
        const { done, value } = await reader.read();
        if (!done) return queue.enqueue(value);
        release();
        queue.close();
      } catch (cause) {
        release();
        queue.error(toRequestError(controller, cause, CONNECTION_BROKEN_MESSAGE));
      }
    },
    cancel(reason) {
      release();
      return reader.cancel(reason);
    },
  });
  const { status, statusText, headers, url, redirected } = response;
  const unread = new Response(body, { status, statusText, headers: [...headers] });
  // The `Response` constructor cannot set `url` and `redirected`.
  return Object.defineProperties(unread, { url: { value: url }, redirected: { value: redirected } });
}
