import type { Io, OutputStream } from "./io.ts";

/** Returns the text of the live line at a time; styled, and without control characters of others. */
export type FormatLine = (now: Date) => string;

/** A line of a terminal that is redrawn, below lines that stay. */
export type LiveDisplay = {
  /** Adds a line that stays. */
  print(line: string): void;
  /** Sets the live line, which is redrawn each second. */
  show(format: FormatLine): void;
  /** Removes the live line at once; printed lines stay. May be called twice. */
  close(): void;
};

/** What opens a display that is drawn by Ink. */
export type LiveDisplayUi = {
  openLiveLines(stream: OutputStream, stdin: Io["stdin"], now: () => Date, format: FormatLine): LiveDisplay;
};

/** What a display needs: the terminal's streams, the time, and the code that draws, which takes a while to load. */
export type LiveDisplayOptions = {
  readonly stream: OutputStream;
  readonly stdin: Io["stdin"];
  readonly now: () => Date;
  readonly loadUi: () => Promise<LiveDisplayUi>;
  /** Milliseconds before the live line is drawn, 300 by default. */
  readonly delayMs?: number;
};

/** Shorter waits show nothing, and load nothing. */
export const LIVE_DELAY_MS = 300;

/** Returns whether lines of a stream can be redrawn for a person: a terminal that is neither dumb nor simulated, without CI or agents. */
export function canRedraw(stream: OutputStream, { ci, dumb, agent }: Io["env"]): boolean {
  return stream.isTTY === true && typeof stream.on === "function" && !ci && !dumb && !agent;
}

/** Creates a display whose live line appears after a delay. Lines are printed at once, also before. */
export function createLiveDisplay(options: LiveDisplayOptions): LiveDisplay {
  const { stream, stdin, now, loadUi, delayMs = LIVE_DELAY_MS } = options;
  let format: FormatLine | undefined;
  let opened: LiveDisplay | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function open(): Promise<void> {
    const { openLiveLines } = await loadUi();
    if (!isClosed && format !== undefined) opened = openLiveLines(stream, stdin, now, format);
  }
  return {
    print(line) {
      if (opened) opened.print(line);
      else stream.write(`${line}\n`);
    },
    show(next) {
      if (isClosed) return;
      format = next;
      opened?.show(next);
      // A command continues even if its progress cannot be drawn.
      timer ??= setTimeout(() => void open().catch(() => {}), delayMs).unref();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      opened?.close();
      opened = undefined;
    },
  };
}
