import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform } from "../../support/platform.ts";
import { createKeyWithoutLimit } from "../environment.ts";
import { type BenchProgram, startProgram } from "../program.ts";
import { quantile } from "../result-row.ts";
import { byFirstMessages, inTurns, through } from "./contenders.ts";
import { MODEL, runChats, type SendChat } from "./workload.ts";

const ENGINES = 4;
const ROUNDS = 2;

/** The results of one way of choosing engines, over all rounds. */
export type PrefixRow = {
  chosen: string;
  calls: number;
  "tokens computed": number;
  /** Compared with engines in turns. */
  "× in turns": string;
  "first token p50 ms": number;
  "first token p95 ms": number;
  "p95 × in turns": string;
  /** The most calls of an engine, compared with the mean. */
  "busiest × mean": string;
};

type Figures = { calls: number; promptTokens: number; computedTokens: number };
type Sample = { firstTokens: number[]; engines: Figures[] };

/**
 * Measures how much of the prompts of chats four engines compute whose cache holds prefixes, and how long callers wait for
 * the first token: when the engines are chosen in turns, by the first messages of a chat, and by Feather.
 */
export async function measurePrefixes(): Promise<PrefixRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "feather-prefixes-"));
  chmodSync(folder, 0o711);
  const engines = await Promise.all(Array.from({ length: ENGINES }, () => startProgram("prefixes/engine-program.ts")));
  const backends = engines.map(({ url }, index) => ({
    name: `engine-${index}`,
    base_url: `${url}/v1`,
    models: [MODEL],
  }));
  const platform = await startPlatform(folder, { FEATHER_BACKENDS: JSON.stringify(backends) });
  try {
    const urls = engines.map(({ url }) => url);
    const url = platform.baseUrl.replace("localhost", "127.0.0.1");
    const contenders = new Map<string, SendChat>([
      ["in turns", inTurns(urls)],
      ["by the first messages", byFirstMessages(urls)],
      ["by Feather", through({ url, key: await createKeyWithoutLimit(platform.baseUrl) })],
    ]);
    const samples = new Map<string, Sample[]>();
    for (let round = 1; round <= ROUNDS; round++)
      for (const [name, send] of contenders)
        samples.set(name, [...(samples.get(name) ?? []), await takeSample(engines, send, round)]);
    return toRows(samples);
  } finally {
    platform.process.kill("SIGTERM");
    await platform.ended;
    for (const engine of engines) engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function takeSample(engines: readonly BenchProgram[], send: SendChat, seed: number): Promise<Sample> {
  await Promise.all(engines.map(({ url }) => fetch(`${url}/figures`, { method: "DELETE" })));
  const firstTokens = await runChats(send, seed);
  const read = async ({ url }: BenchProgram) => (await (await fetch(`${url}/figures`)).json()) as Figures;
  return { firstTokens, engines: await Promise.all(engines.map(read)) };
}

function toRows(samples: ReadonlyMap<string, readonly Sample[]>): PrefixRow[] {
  const rows = [...samples].map(([chosen, rounds]) => ({ chosen, ...summarize(rounds) }));
  const [reference] = rows;
  return rows.map((row) => ({
    chosen: row.chosen,
    calls: row.firstTokens.length,
    "tokens computed": row.computed,
    "× in turns": (row.computed / (reference?.computed ?? Number.NaN)).toFixed(2),
    "first token p50 ms": Math.round(quantile(row.firstTokens, 0.5)),
    "first token p95 ms": Math.round(row.p95),
    "p95 × in turns": (row.p95 / (reference?.p95 ?? Number.NaN)).toFixed(2),
    "busiest × mean": row.busiest.toFixed(2),
  }));
}

function summarize(rounds: readonly Sample[]) {
  const firstTokens = rounds.flatMap((sample) => sample.firstTokens);
  const computed = rounds.flatMap(({ engines }) => engines.map(({ computedTokens }) => computedTokens));
  const busiest = Math.max(...rounds.map(({ engines }) => Math.max(...engines.map(shareOfMean))));
  return { firstTokens, computed: computed.reduce((a, b) => a + b, 0), p95: quantile(firstTokens, 0.95), busiest };
}

/** Returns the calls of an engine compared with the mean of all. */
function shareOfMean({ calls }: Figures, _index: number, engines: readonly Figures[]): number {
  return (calls * engines.length) / engines.reduce((sum, engine) => sum + engine.calls, 0);
}
