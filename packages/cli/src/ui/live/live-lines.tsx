import { Box, Static, Text } from "ink";
import type { FormatLine } from "../../output/live-display.ts";
import { useTime } from "../use-time.ts";

/** Lines that were printed together. A new batch has a new number; earlier ones are not kept. */
export type Batch = { readonly number: number; readonly lines: readonly string[] };

/** Props of `LiveLines`. */
export type LiveLinesProps = {
  readonly batch: Batch;
  readonly format: FormatLine;
  readonly now: () => Date;
};

/**
 * Lines that stay, and below them one that is redrawn:
 *
 *     support-bot  accepted  14:01:02
 *                  weights   14:01:05  12 GB of 47 GB  84 MB/s, about 7 min left
 */
export function LiveLines({ batch, format, now }: LiveLinesProps) {
  // Rendered anew for each line, too; the time must not be older than what the line is about.
  useTime(now);
  return (
    <Box flexDirection="column">
      <Static key={batch.number} items={[...batch.lines]}>
        {(line, index) => <Text key={index}>{line === "" ? " " : line}</Text>}
      </Static>
      <Text wrap="truncate">{format(now())}</Text>
    </Box>
  );
}
