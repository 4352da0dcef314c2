import { Agent, request } from "undici";
import type { Target } from "./load.ts";
import { quantile, type Row } from "./row.ts";
import { STREAM, type Stand } from "./stand.ts";

const STREAMS = 500;
const TOKENS = 200; // as in bench-backend.ts

type Read = { delays: number[]; ended: number };

/** Measures whether all tokens of many concurrent streams arrive, and how late. */
export async function streamRows({ ours, bare }: Stand): Promise<Row[]> {
  const theirs = await readAll(bare);
  const mine = await readAll(ours);
  const [a, b] = [quantile(mine.delays, 0.99), quantile(theirs.delays, 0.99)];
  return [
    {
      what: `${STREAMS} streams at 50 tokens/s, tokens that arrived`,
      measured: `${mine.delays.length} in ${mine.ended} whole streams`,
      reference: `bare proxy ${theirs.delays.length} in ${theirs.ended}`,
      ratio: (mine.delays.length / (STREAMS * TOKENS)).toFixed(2),
      bar: "1.00",
    },
    {
      what: `${STREAMS} streams at 50 tokens/s, delay of a token, p99`,
      measured: `${a.toFixed(0)} ms`,
      reference: `bare proxy ${b.toFixed(0)} ms`,
      ratio: (a / b).toFixed(2),
      bar: "≤ 2.00",
    },
  ];
}

async function readAll(target: Target): Promise<Read> {
  const dispatcher = new Agent({ connections: STREAMS });
  const read: Read = { delays: [], ended: 0 };
  await Promise.all(Array.from({ length: STREAMS }, () => readOne(target, dispatcher, read)));
  await dispatcher.close();
  return read;
}

async function readOne({ url, headers }: Target, dispatcher: Agent, read: Read): Promise<void> {
  const { body } = await request(url, {
    method: "POST",
    dispatcher,
    headers: { "content-type": "application/json", ...headers },
    body: STREAM,
  });
  let rest = "";
  for await (const part of body) {
    const now = Date.now();
    const events = (rest + String(part)).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const sentAt = /"content":"(\d+) "/.exec(event)?.[1];
      if (sentAt !== undefined) read.delays.push(now - Number(sentAt));
      if (event === "data: [DONE]") read.ended += 1;
    }
  }
}
