import type { OutputStream } from "../io.ts";
import type { FormatLine, LiveDisplay } from "../live-display.ts";

/** A wait is mentioned after this time where its line cannot be redrawn, in milliseconds. */
export const NOTICE_DELAY_MS = 15_000;
const NOTICE_INTERVAL_MS = 60_000;

/** What notices need: where they are written, the time, and the milliseconds until the first one. */
export type WaitNoticesOptions = {
  readonly stream: OutputStream;
  readonly now: () => Date;
  readonly delayMs: number;
};

/** Creates a display for pipes: its line is written after a delay, and again every minute. */
export function createWaitNotices({ stream, now, delayMs }: WaitNoticesOptions): LiveDisplay {
  let timer: NodeJS.Timeout | undefined;
  let format: FormatLine | undefined;
  function schedule(milliseconds: number): void {
    timer = setTimeout(() => {
      if (format !== undefined) stream.write(`${format(now())}\n`);
      schedule(NOTICE_INTERVAL_MS);
    }, milliseconds).unref();
  }
  return {
    print: (line) => void stream.write(`${line}\n`),
    show(next) {
      format = next;
      if (timer === undefined) schedule(delayMs);
    },
    close: () => clearTimeout(timer),
  };
}
