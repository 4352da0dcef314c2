import { percent } from "./format.ts";
import type { Io } from "./io.ts";
import { sanitizeLine } from "./sanitize.ts";
import { barbs } from "./style.ts";
import { clock } from "./time.ts";
import type { Measure } from "./width.ts";

/** The progress of work: a new `state` starts a new line; `fraction` is the completed part of it, from 0 to 1. */
export type Step = { readonly state: string; readonly detail?: string; readonly share?: number };

/**
 * Shows the progress of work on stderr. At a terminal the last line is redrawn; elsewhere each new state prints one line.
 * `end` ends the line, and may be called twice.
 */
export type Progress = { at(step: Step): void; end(): void };

const BARBS = 20;
const STATE_WIDTH = 12;

/** A progress display that shows nothing. */
export const SILENT: Progress = { at() {}, end() {} };

/** Creates a progress display for the work called `name`. */
export function createProgress({ stderr, env }: Io, name: string, now: () => Date, measure: Measure): Progress {
  const live = stderr.isTTY === true && !env.ci && !env.dumb && !env.agent;
  let current: { readonly state: string; readonly since: Date; readonly label: string } | undefined;
  let open = false;

  const lineOf = ({ label, state, since }: NonNullable<typeof current>, { detail = "", share }: Step): string => {
    const done = share === undefined ? "" : percent(share);
    const drawn = share === undefined || !live ? "" : barbs(Math.round(share * BARBS), BARBS, env.unicode);
    return sanitizeLine(
      [label, state.padEnd(STATE_WIDTH), clock(since), detail, drawn, done].filter((part) => part !== "").join("  "),
    );
  };
  const close = () => {
    if (open) stderr.write("\n");
    open = false;
  };
  return {
    at(step) {
      const isNew = step.state !== current?.state;
      if (isNew) {
        close();
        const label = current === undefined || !live ? name : " ".repeat(measure(name));
        current = { state: step.state, since: now(), label };
      }
      if (current === undefined) return;
      const line = lineOf(current, step);
      if (!live) {
        if (isNew) stderr.write(`${line}\n`);
        return;
      }
      stderr.write(`\r\u001b[2K${startOf(line, (stderr.columns ?? 80) - 1, measure)}`);
      open = true;
    },
    end: close,
  };
}

/** Cuts the end of a line that is too wide: a wrapped line could not be redrawn. */
function startOf(line: string, width: number, measure: Measure): string {
  let kept = line;
  while (measure(kept) > width) kept = kept.slice(0, -1);
  return kept;
}
