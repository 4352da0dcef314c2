import { Agent, request } from "undici";
import { type BenchEnvironment, STREAM_REQUEST } from "./environment.ts";
import type { Target } from "./load.ts";
import { quantile, type ResultRow } from "./result-row.ts";

const STREAM_COUNT = 500;
const TOKENS_PER_STREAM = 200; // as in bench-backend.ts

type StreamStats = { delays: number[]; ended: number };

/** Measures whether all tokens of many concurrent streams arrive, and how late. */
export async function measureStreams({ ours, bare }: BenchEnvironment): Promise<ResultRow[]> {
  const bareStats = await readAll(bare);
  const oursStats = await readAll(ours);
  const [a, b] = [quantile(oursStats.delays, 0.99), quantile(bareStats.delays, 0.99)];
  return [
    {
      what: `${STREAM_COUNT} streams at 50 tokens/s, tokens that arrived`,
      measured: `${oursStats.delays.length} in ${oursStats.ended} whole streams`,
      reference: `bare proxy ${bareStats.delays.length} in ${bareStats.ended}`,
      ratio: (oursStats.delays.length / (STREAM_COUNT * TOKENS_PER_STREAM)).toFixed(2),
      bar: "1.00",
    },
    {
      what: `${STREAM_COUNT} streams at 50 tokens/s, delay of a token, p99`,
      measured: `${a.toFixed(0)} ms`,
      reference: `bare proxy ${b.toFixed(0)} ms`,
      ratio: (a / b).toFixed(2),
      bar: "≤ 1.50",
    },
  ];
}

async function readAll(target: Target): Promise<StreamStats> {
  const dispatcher = new Agent({ connections: STREAM_COUNT });
  const stats: StreamStats = { delays: [], ended: 0 };
  await Promise.all(Array.from({ length: STREAM_COUNT }, () => readOne(target, dispatcher, stats)));
  await dispatcher.close();
  return stats;
}

async function readOne({ url, headers }: Target, dispatcher: Agent, stats: StreamStats): Promise<void> {
  const { body } = await request(url, {
    method: "POST",
    dispatcher,
    headers: { "content-type": "application/json", ...headers },
    body: STREAM_REQUEST,
  });
  let rest = "";
  for await (const part of body) {
    const now = Date.now();
    const events = (rest + String(part)).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const sentAt = /"content":"(\d+) "/.exec(event)?.[1];
      if (sentAt !== undefined) stats.delays.push(now - Number(sentAt));
      if (event === "data: [DONE]") stats.ended += 1;
    }
  }
}
