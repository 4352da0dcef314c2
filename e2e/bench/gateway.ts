import { type BenchEnvironment, BUFFERED_REQUEST } from "./environment.ts";
import { load } from "./load.ts";
import { median, type ResultRow } from "./result-row.ts";

const SECONDS = 6;
const ROUNDS = 3;
const CONNECTIONS = 32;

/** Measures throughput, and the latency that the gateway adds to a direct call. */
export async function measureGateway({ ours, bare, direct }: BenchEnvironment): Promise<ResultRow[]> {
  const parallel = { connections: CONNECTIONS, seconds: SECONDS };
  await load(ours, BUFFERED_REQUEST, parallel); // warm
  await load(bare, BUFFERED_REQUEST, parallel);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      ours: await load(ours, BUFFERED_REQUEST, parallel),
      bare: await load(bare, BUFFERED_REQUEST, parallel),
    });
  const [oursPerSecond, barePerSecond] = [
    median(rounds.map((r) => r.ours.perSecond)),
    median(rounds.map((r) => r.bare.perSecond)),
  ];

  const single = { connections: 1, seconds: SECONDS };
  const [a, b, c] = [
    await load(direct, BUFFERED_REQUEST, single),
    await load(bare, BUFFERED_REQUEST, single),
    await load(ours, BUFFERED_REQUEST, single),
  ];
  const [addedMs, leastMs] = [c.p50Ms - a.p50Ms, b.p50Ms - a.p50Ms];
  return [
    {
      what: `gateway, not streaming, ${CONNECTIONS} connections`,
      measured: `${oursPerSecond.toFixed(0)}/s`,
      reference: `bare proxy ${barePerSecond.toFixed(0)}/s`,
      ratio: (oursPerSecond / barePerSecond).toFixed(2),
      bar: "≥ 0.60",
    },
    {
      what: "refused or failed meanwhile",
      measured: String(rounds.reduce((sum, round) => sum + round.ours.errors, 0)),
      reference: "",
      ratio: "",
      bar: "0",
    },
    {
      what: "added latency, 1 connection, median",
      measured: `${addedMs.toFixed(2)} ms`,
      reference: `bare proxy ${leastMs.toFixed(2)} ms`,
      ratio: (addedMs / leastMs).toFixed(2),
      bar: "≤ 1.50",
    },
  ];
}
