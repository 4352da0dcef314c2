import { Agent, request } from "undici";

export type Load = { perSecond: number; p50Ms: number; p99Ms: number; errors: number };

/** Sends the same request over so many connections for so long, each as soon as the one before is answered. */
export async function load(
  url: string,
  headers: Record<string, string>,
  body: string,
  connections: number,
  seconds: number,
): Promise<Load> {
  const dispatcher = new Agent({ connections });
  const times: number[] = [];
  let errors = 0;
  const end = performance.now() + seconds * 1000;
  const began = performance.now();
  const one = async () => {
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
  await Promise.all(Array.from({ length: connections }, one));
  const elapsed = (performance.now() - began) / 1000;
  await dispatcher.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: times.length / elapsed, p50Ms: at(0.5), p99Ms: at(0.99), errors };
}
