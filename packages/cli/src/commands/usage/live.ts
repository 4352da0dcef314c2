import type { Concurrency, Feather } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { formatUnits, LIVE_COLUMNS } from "../../views/live-usage.ts";

type RunningRequest = Concurrency["requests"][number];

/** Fields that `--json` accepts with `--live`. */
export const LIVE_FIELDS = [
  "id",
  "cost",
  "model",
  "started_at",
  "duration_ms",
  "output_tokens",
  "tokens_per_second",
  "is_own",
] as const satisfies readonly (keyof RunningRequest)[];

/** Shows the units in use and the requests that hold them: as they change at a terminal, and once elsewhere. */
export async function printLiveUsage(context: Context): Promise<void> {
  const { client, output, signal, now, io, interactive } = context;
  const feather = await client();
  const usage = await feather.concurrency.get({ signal });
  if (interactive && output.tty && output.mode === "human") {
    const ui = await context.loadUi("--json");
    return ui.watchUsage(
      { first: usage, stream: (end) => streamUsage(feather, end), now, style: output.style },
      io,
      signal,
    );
  }
  output.hint(`${formatUnits(usage, io.env.unicode)}\n`);
  output.printList(
    { columns: LIVE_COLUMNS, id: ({ id }) => id, noun: "requests", empty: "Nothing is running." },
    usage.requests,
    usage,
  );
}

async function* streamUsage(feather: Feather, signal: AbortSignal): AsyncGenerator<Concurrency> {
  yield* await feather.concurrency.stream({ signal });
}
