import { render } from "ink";
import { createElement } from "react";
import type { InputStream, OutputStream } from "../../output/io.ts";
import type { FormatLine, LiveDisplay } from "../../output/live-display.ts";
import { type Batch, LiveLines } from "./live-lines.tsx";
import { createMutableStream } from "./mutable-stream.ts";

const SHOW_CURSOR = "\u001b[?25h";

/** Draws a live line at the end of a stream, below the printed lines, until it is closed. */
export function openLiveLines(
  stream: OutputStream,
  stdin: InputStream,
  now: () => Date,
  firstFormat: FormatLine,
): LiveDisplay {
  const mutable = createMutableStream(stream);
  let format = firstFormat;
  let batch: Batch = { number: 0, lines: [] };
  let pendingLines: readonly string[] = [];
  let isClosed = false;
  const draw = () => createElement(LiveLines, { batch, format, now });
  const app = render(draw(), {
    stdin: stdin as NodeJS.ReadStream,
    stdout: mutable.stream,
    interactive: true,
    patchConsole: false,
    exitOnCtrlC: false,
  });

  /** Draws lines that were printed one after the other together, since each time redraws the live line. */
  function flush(): void {
    if (pendingLines.length === 0 || isClosed) return;
    batch = { number: batch.number + 1, lines: pendingLines };
    pendingLines = [];
    app.rerender(draw());
  }
  return {
    print(line) {
      if (pendingLines.length === 0) setImmediate(flush);
      pendingLines = [...pendingLines, line];
    },
    show(next) {
      format = next;
      if (!isClosed) app.rerender(draw());
    },
    close() {
      if (isClosed) return;
      flush();
      isClosed = true;
      app.clear();
      // Unmounting draws the last frame again when one is pending, which would stay.
      mutable.mute();
      app.unmount();
      stream.write(SHOW_CURSOR);
    },
  };
}
