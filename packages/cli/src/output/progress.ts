import { formatPercent } from "./format.ts";
import type { Io } from "./io.ts";
import { sanitizeLine } from "./sanitize.ts";
import { drawBarbs } from "./style.ts";
import { formatClock } from "./time.ts";
import type { MeasureWidth } from "./width.ts";

/** The progress of work: a new `state` starts a new line; `fraction` is the completed part of it, from 0 to 1. */
export type Step = { readonly state: string; readonly detail?: string; readonly fraction?: number };

/**
 * Shows the progress of work on stderr. At a terminal the last line is redrawn; elsewhere each new state prints one line.
 * `end` ends the line, and may be called twice.
 */
export type Progress = { update(step: Step): void; end(): void };

const BAR_WIDTH = 20;
const STATE_WIDTH = 12;

/** A progress display that shows nothing. */
export const NO_PROGRESS: Progress = { update() {}, end() {} };

/** Creates a progress display for the work called `name`. */
export function createProgress({ stderr, env }: Io, name: string, now: () => Date, measure: MeasureWidth): Progress {
  const live = stderr.isTTY === true && !env.ci && !env.dumb && !env.agent;
  let current: { readonly state: string; readonly since: Date; readonly label: string } | undefined;
  let open = false;

  const formatLine = (
    { label, state, since }: NonNullable<typeof current>,
    { detail = "", fraction }: Step,
  ): string => {
    const percentText = fraction === undefined ? "" : formatPercent(fraction);
    const barbsText =
      fraction === undefined || !live ? "" : drawBarbs(Math.round(fraction * BAR_WIDTH), BAR_WIDTH, env.unicode);
    return sanitizeLine(
      [label, state.padEnd(STATE_WIDTH), formatClock(since), detail, barbsText, percentText]
        .filter((part) => part !== "")
        .join("  "),
    );
  };
  const close = () => {
    if (open) stderr.write("\n");
    open = false;
  };
  return {
    update(step) {
      const isNew = step.state !== current?.state;
      if (isNew) {
        close();
        const label = current === undefined || !live ? name : " ".repeat(measure(name));
        current = { state: step.state, since: now(), label };
      }
      if (current === undefined) return;
      const line = formatLine(current, step);
      if (!live) {
        if (isNew) stderr.write(`${line}\n`);
        return;
      }
      stderr.write(`\r\u001b[2K${truncateEnd(line, (stderr.columns ?? 80) - 1, measure)}`);
      open = true;
    },
    end: close,
  };
}

/** Cuts the end of a line that is too wide: a wrapped line could not be redrawn. */
function truncateEnd(line: string, width: number, measure: MeasureWidth): string {
  let shortened = line;
  while (measure(shortened) > width) shortened = shortened.slice(0, -1);
  return shortened;
}
