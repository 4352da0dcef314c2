import { type Fetch, redactUrl } from "@feather/sdk";
import { explainNetworkError } from "./network-errors.ts";

/**
 * Returns a `fetch` that reports each request with its method, address, status, duration and id. Headers and bodies are never
 * reported, and neither are secrets in addresses.
 */
export function logRequests(baseFetch: Fetch, log: (line: string) => void, now: () => Date): Fetch {
  return async (request, init) => {
    const startedAt = now().getTime();
    const report = (result: string) =>
      log(`${request.method} ${redactUrl(request.url)} ${result} in ${now().getTime() - startedAt} ms`);
    try {
      const response = await baseFetch(request, init);
      const id = response.headers.get("request-id");
      report(`${response.status}${id === null ? "" : ` ${id}`}`);
      return response;
    } catch (error) {
      report(`failed (${explainNetworkError(error).reason})`);
      throw error;
    }
  };
}
