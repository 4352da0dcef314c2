import { Agent, request } from "undici";
import { type BenchEnvironment, FAST_STREAM_REQUEST, SLOW_STREAM_REQUEST, STREAM_REQUEST } from "./environment.ts";
import { load, type Target } from "./load.ts";
import { quantile, type ResultRow } from "./result-row.ts";

/** A number of streams at the same time, their tokens, and the bar for their delay. */
type Load = { what: string; streams: number; tokens: number; body: string; rounds: number; delayBar: string };
const FAST: Load = {
  what: "50 tokens/s",
  streams: 500,
  tokens: 200,
  body: STREAM_REQUEST,
  rounds: 3,
  delayBar: "≤ 1.50",
};
const MANY: Load = {
  what: "2 tokens/s",
  streams: 5_000,
  tokens: 20,
  body: SLOW_STREAM_REQUEST,
  rounds: 1,
  delayBar: "",
};
/** The number of streams that connect at a time: the system queues only some hundred connections. */
const WAVE = 250;
const WARM_UP = { connections: 32, seconds: 3 };

/** Delays in milliseconds: of all tokens, and of those that were sent once all streams were open. */
type StreamStats = { delays: number[]; delaysOnceOpen: number[]; ended: number; openingMs: number };

/** Measures whether all tokens of many concurrent streams arrive, and how late. */
export async function measureStreams({ ours, bare }: BenchEnvironment): Promise<ResultRow[]> {
  for (const target of [bare, ours]) await load(target, FAST_STREAM_REQUEST, WARM_UP);
  const rows: ResultRow[] = [];
  for (const streams of [FAST, MANY]) {
    const [ofBare, ofOurs]: [StreamStats[], StreamStats[]] = [[], []];
    for (let round = 0; round < streams.rounds; round++) {
      ofBare.push(await readAll(bare, streams));
      ofOurs.push(await readAll(ours, streams));
    }
    rows.push(...toRows(streams, ofOurs, ofBare));
  }
  return rows;
}

/** Times are the least of the rounds, since others on the machine only make them longer. */
function toRows(
  { what, streams, tokens, rounds, delayBar }: Load,
  ours: StreamStats[],
  bare: StreamStats[],
): ResultRow[] {
  const load = `${streams} streams at ${what}`;
  const count = (stats: StreamStats[], of: (one: StreamStats) => number) =>
    stats.reduce((sum, one) => sum + of(one), 0);
  const compare = (name: string, of: (one: StreamStats) => number, bar: string): ResultRow => {
    const [a, b] = [Math.min(...ours.map(of)), Math.min(...bare.map(of))];
    return {
      what: `${load}, ${name}`,
      measured: `${a.toFixed(0)} ms`,
      reference: `bare proxy ${b.toFixed(0)} ms`,
      ratio: (a / b).toFixed(2),
      bar,
    };
  };
  const arrived = count(ours, ({ delays }) => delays.length);
  return [
    {
      what: `${load}, tokens that arrived`,
      measured: `${arrived} in ${count(ours, ({ ended }) => ended)} whole streams`,
      reference: `bare proxy ${count(bare, ({ delays }) => delays.length)} in ${count(bare, ({ ended }) => ended)}`,
      ratio: (arrived / (streams * tokens * rounds)).toFixed(2),
      bar: "1.00",
    },
    compare("delay of a token once all are open, p99", (one) => quantile(one.delaysOnceOpen, 0.99), delayBar),
    compare("delay of a token from the start, p99", (one) => quantile(one.delays, 0.99), ""),
    compare("time until all are open", ({ openingMs }) => openingMs, ""),
  ];
}

async function readAll(target: Target, { streams, body }: Load): Promise<StreamStats> {
  const dispatcher = new Agent({ connections: streams });
  const stats: StreamStats = { delays: [], delaysOnceOpen: [], ended: 0, openingMs: Number.POSITIVE_INFINITY };
  const startedAt = Date.now();
  const reading: Promise<void>[] = [];
  while (reading.length < streams) {
    const wave = Array.from({ length: Math.min(WAVE, streams - reading.length) }, () =>
      openStream(target, dispatcher, body),
    );
    for (const opened of await Promise.all(wave)) reading.push(readStream(opened, startedAt, stats));
  }
  stats.openingMs = Date.now() - startedAt;
  await Promise.all(reading);
  await dispatcher.close();
  return stats;
}

async function openStream({ url, headers }: Target, dispatcher: Agent, body: string): Promise<AsyncIterable<Buffer>> {
  const options = { method: "POST", dispatcher, body } as const;
  const opened = await request(url, { ...options, headers: { "content-type": "application/json", ...headers } });
  return opened.body;
}

async function readStream(body: AsyncIterable<Buffer>, startedAt: number, stats: StreamStats): Promise<void> {
  let rest = "";
  for await (const part of body) {
    const now = Date.now();
    const events = (rest + String(part)).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const sentAt = /"content":"(\d+) "/.exec(event)?.[1];
      if (sentAt !== undefined) addDelay(stats, startedAt, Number(sentAt), now);
      if (event === "data: [DONE]") stats.ended += 1;
    }
  }
}

function addDelay(stats: StreamStats, startedAt: number, sentAt: number, arrivedAt: number): void {
  stats.delays.push(arrivedAt - sentAt);
  if (sentAt >= startedAt + stats.openingMs) stats.delaysOnceOpen.push(arrivedAt - sentAt);
}
