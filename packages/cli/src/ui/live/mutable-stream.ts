import type { OutputStream } from "../../output/io.ts";

/** A terminal for Ink, and a function after which nothing is written on it any more. */
export type MutableStream = { readonly stream: NodeJS.WriteStream; mute(): void };

/** Returns a terminal that writes on another one until it is muted. */
export function createMutableStream(terminal: OutputStream): MutableStream {
  let isMuted = false;
  const stream = {
    isTTY: true,
    writable: true,
    get columns() {
      return terminal.columns;
    },
    get rows() {
      return terminal.rows;
    },
    write(text: string | Uint8Array, onWritten?: () => void) {
      if (!isMuted) terminal.write(text);
      if (typeof onWritten === "function") setImmediate(onWritten);
      return true;
    },
    on(event: "resize", listener: () => void) {
      terminal.on?.(event, listener);
      return stream;
    },
    off(event: "resize", listener: () => void) {
      terminal.off?.(event, listener);
      return stream;
    },
  };
  return {
    // Ink uses no more of a terminal than this.
    stream: stream as unknown as NodeJS.WriteStream,
    mute() {
      isMuted = true;
    },
  };
}
