import { Agent, request } from "undici";
import { type BenchEnvironment, FAST_STREAM_REQUEST, SLOW_STREAM_REQUEST, STREAM_REQUEST } from "./environment.ts";
import { load, type Target } from "./load.ts";
import { quantile, type ResultRow } from "./result-row.ts";

/** Streams at the same time, and what comes of each. */
type Load = { what: string; streams: number; tokens: number; body: string; delayBar: string };
const FAST: Load = { what: "50 tokens/s", streams: 500, tokens: 200, body: STREAM_REQUEST, delayBar: "≤ 1.50" };
const MANY: Load = { what: "2 tokens/s", streams: 5_000, tokens: 20, body: SLOW_STREAM_REQUEST, delayBar: "" };
/** So many connect at a time, since the system queues only some hundred. */
const WAVE = 250;
const WARM_UP = { connections: 32, seconds: 3 };

type StreamStats = { delays: number[]; ended: number };

/** Measures whether all tokens of many concurrent streams arrive, and how late. */
export async function measureStreams({ ours, bare }: BenchEnvironment): Promise<ResultRow[]> {
  for (const target of [bare, ours]) await load(target, FAST_STREAM_REQUEST, WARM_UP);
  const rows: ResultRow[] = [];
  for (const streams of [FAST, MANY])
    rows.push(...toRows(streams, await readAll(bare, streams), await readAll(ours, streams)));
  return rows;
}

function toRows(
  { what, streams, tokens, delayBar }: Load,
  bareStats: StreamStats,
  oursStats: StreamStats,
): ResultRow[] {
  const [a, b] = [quantile(oursStats.delays, 0.99), quantile(bareStats.delays, 0.99)];
  return [
    {
      what: `${streams} streams at ${what}, tokens that arrived`,
      measured: `${oursStats.delays.length} in ${oursStats.ended} whole streams`,
      reference: `bare proxy ${bareStats.delays.length} in ${bareStats.ended}`,
      ratio: (oursStats.delays.length / (streams * tokens)).toFixed(2),
      bar: "1.00",
    },
    {
      what: `${streams} streams at ${what}, delay of a token, p99`,
      measured: `${a.toFixed(0)} ms`,
      reference: `bare proxy ${b.toFixed(0)} ms`,
      ratio: (a / b).toFixed(2),
      bar: delayBar,
    },
  ];
}

async function readAll(target: Target, { streams, body }: Load): Promise<StreamStats> {
  const dispatcher = new Agent({ connections: streams });
  const stats: StreamStats = { delays: [], ended: 0 };
  const reading: Promise<void>[] = [];
  while (reading.length < streams) {
    const wave = Array.from({ length: Math.min(WAVE, streams - reading.length) }, () =>
      openStream(target, dispatcher, body),
    );
    for (const opened of await Promise.all(wave)) reading.push(readStream(opened, stats));
  }
  await Promise.all(reading);
  await dispatcher.close();
  return stats;
}

async function openStream({ url, headers }: Target, dispatcher: Agent, body: string): Promise<AsyncIterable<Buffer>> {
  const options = { method: "POST", dispatcher, body } as const;
  const opened = await request(url, { ...options, headers: { "content-type": "application/json", ...headers } });
  return opened.body;
}

async function readStream(body: AsyncIterable<Buffer>, stats: StreamStats): Promise<void> {
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
