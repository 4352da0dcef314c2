import { encodeRequest, openConnection } from "./http-connection.ts";
import { quantile } from "./result-row.ts";

/** Where requests are sent. */
export type Target = { url: string; headers: Record<string, string> };
/** Requests per second, latencies in milliseconds, and the numbers of answered and of failed requests. */
export type LoadResult = { perSecond: number; p50Ms: number; p99Ms: number; answered: number; errors: number };

/** How many connections send for how long. */
export type LoadOptions = { connections: number; seconds: number };

/** Sends the same request over a number of connections for some seconds, each as soon as the previous one has ended. */
export async function load(target: Target, body: string, options: LoadOptions): Promise<LoadResult> {
  return (await sendLoad([target], body, options)).result;
}

/** As `load`, with the connections spread over several targets; returns the latency of each answer too. */
export async function sendLoad(
  targets: readonly Target[],
  body: string,
  { connections, seconds }: LoadOptions,
): Promise<{ result: LoadResult; times: readonly number[] }> {
  const opened = await Promise.all(
    Array.from({ length: connections }, (_, index) => {
      const target = targets[index % targets.length] as Target;
      return openConnection(target.url, encodeRequest(target, body));
    }),
  );
  const times: number[] = [];
  let errors = 0;
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  await Promise.all(
    opened.map(async (connection) => {
      for (let start = startedAt; start < end; ) {
        const status = await connection.send();
        const now = performance.now();
        if (status === 200) times.push(now - start);
        else errors += 1;
        start = now;
      }
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1000;
  for (const connection of opened) connection.close();
  const result = {
    perSecond: times.length / elapsed,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    answered: times.length,
    errors,
  };
  return { result, times };
}
