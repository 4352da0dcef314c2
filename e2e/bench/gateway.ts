import { load } from "./load.ts";
import { median, type Row } from "./row.ts";
import { type Stand, WHOLE } from "./stand.ts";

const SECONDS = 6;
const ROUNDS = 3;
const CONNECTIONS = 32;

/** Measures throughput, and the latency that the gateway adds to a direct call. */
export async function gatewayRows({ ours, bare, direct }: Stand): Promise<Row[]> {
  const many = { connections: CONNECTIONS, seconds: SECONDS };
  await load(ours, WHOLE, many); // warm
  await load(bare, WHOLE, many);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ ours: await load(ours, WHOLE, many), bare: await load(bare, WHOLE, many) });
  const [mine, theirs] = [median(rounds.map((r) => r.ours.perSecond)), median(rounds.map((r) => r.bare.perSecond))];

  const one = { connections: 1, seconds: SECONDS };
  const [a, b, c] = [await load(direct, WHOLE, one), await load(bare, WHOLE, one), await load(ours, WHOLE, one)];
  const [added, least] = [c.p50Ms - a.p50Ms, b.p50Ms - a.p50Ms];
  return [
    {
      what: `gateway, not streaming, ${CONNECTIONS} connections`,
      measured: `${mine.toFixed(0)}/s`,
      reference: `bare proxy ${theirs.toFixed(0)}/s`,
      ratio: (mine / theirs).toFixed(2),
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
      measured: `${added.toFixed(2)} ms`,
      reference: `bare proxy ${least.toFixed(2)} ms`,
      ratio: (added / least).toFixed(2),
      bar: "≤ 1.50",
    },
  ];
}
