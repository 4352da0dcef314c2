import { Agent, request } from "undici";
import { quantile } from "./result-row.ts";

/** Where requests are sent. */
export type Target = { url: string; headers: Record<string, string> };
/** Requests per second, latencies in milliseconds, and the number of failed requests. */
export type LoadResult = { perSecond: number; p50Ms: number; p99Ms: number; errors: number };

/** Sends the same request over a number of connections for some seconds, each as soon as the previous one has ended. */
export async function load(
  { url, headers }: Target,
  body: string,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoadResult> {
  const dispatcher = new Agent({ connections });
  const times: number[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  const runConnection = async () => {
    while (performance.now() < end) {
      const start = performance.now();
      const response = await request(url, {
        method: "POST",
        dispatcher,
        headers: { "content-type": "application/json", ...headers },
        body,
      });
      await response.body.dump();
      if (response.statusCode === 200) times.push(performance.now() - start);
      else errors += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, runConnection));
  const elapsed = (performance.now() - startedAt) / 1000;
  await dispatcher.close();
  return { perSecond: times.length / elapsed, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), errors };
}
