import type { Concurrency } from "@feather/sdk";
import { Box, Text, useApp, useInput, useWindowSize } from "ink";
import { useEffect, useState } from "react";
import stringWidth from "string-width";
import type { Style } from "../../output/style.ts";
import { formatTable } from "../../output/table.ts";
import { formatUnits, LIVE_COLUMNS } from "../../views/live-usage.ts";
import { useTime } from "../use-time.ts";

/** Props of `LiveUsage`. */
export type LiveUsageProps = {
  readonly first: Concurrency;
  /** Streams the usage whenever it changes, until the signal aborts. */
  stream(signal: AbortSignal): AsyncIterable<Concurrency>;
  readonly now: () => Date;
  readonly style: Style;
};

const TICK_MS = 1_000;
/** Rows that the table leaves for everything else. */
const OTHER_ROWS = 6;

/**
 * The units in use, and the requests that hold them, as they change:
 *
 *     ▰▰▱▱ 2 of 4 units in use
 *
 *     MODEL           UNITS  FOR
 *     Qwen/Qwen3-32B      2  4 s
 *
 *     q leaves
 */
export function LiveUsage({ first, stream, now, style }: LiveUsageProps) {
  const { exit } = useApp();
  const { columns, rows } = useWindowSize();
  const { usage, isConnected } = useUsage(first, stream);
  const time = useTime(now);
  useInput((input, key) => {
    if (input === "q" || key.escape || (key.ctrl && (input === "c" || input === "d"))) exit();
  });

  const requests = usage.requests.map((request) => ({
    ...request,
    duration_ms: Math.max(0, time.getTime() - request.started_at.getTime()),
  }));
  const visible = requests.slice(0, Math.max(1, rows - OTHER_ROWS));
  const hidden = requests.length - visible.length;
  return (
    <Box flexDirection="column">
      <Text>{formatUnits(usage, style.unicode)}</Text>
      <Box flexDirection="column" marginY={1}>
        {visible.length === 0 ? <Text>Nothing is running.</Text> : null}
        {visible.length === 0
          ? null
          : formatTable(LIVE_COLUMNS, visible, style, columns, stringWidth).map((line, index) => (
              <Text key={visible[index - 1]?.id ?? "head"} wrap="truncate">
                {line}
              </Text>
            ))}
        {hidden > 0 ? <Text>{style.dim(`and ${hidden} more`)}</Text> : null}
      </Box>
      <Text>{style.dim(isConnected ? "q leaves" : "the connection was cut; trying again · q leaves")}</Text>
    </Box>
  );
}

/** Returns the latest usage of the stream, which is opened again when it ends. */
function useUsage(first: Concurrency, stream: LiveUsageProps["stream"]) {
  const [usage, setUsage] = useState(first);
  const [isConnected, setIsConnected] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream is opened once
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    async function follow(): Promise<void> {
      while (!signal.aborted) {
        try {
          for await (const next of stream(signal)) {
            setUsage(next);
            setIsConnected(true);
          }
        } catch {
          if (signal.aborted) return;
        }
        setIsConnected(false);
        await new Promise((resolve) => setTimeout(resolve, TICK_MS));
      }
    }
    void follow();
    return () => controller.abort();
  }, []);
  return { usage, isConnected };
}
