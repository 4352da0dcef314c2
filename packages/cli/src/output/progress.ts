import { formatPercent } from "@feather/sdk/format";
import type { Io } from "./io.ts";
import { canRedraw, createLiveDisplay, type LiveDisplayOptions } from "./live-display.ts";
import { type Amount, addSample, formatRate, type Sample } from "./rate.ts";
import { sanitizeLine } from "./sanitize.ts";
import { drawBarbs } from "./style.ts";
import { formatClock, formatDuration } from "./time.ts";
import type { MeasureWidth } from "./width.ts";

/**
 * The progress of work: a new `state` starts a new line; `fraction` is the completed part of it, from 0 to 1. From `amount`
 * follow the rate and the time left.
 */
export type Step = {
  readonly state: string;
  readonly detail?: string;
  readonly fraction?: number;
  readonly amount?: Amount;
};

/**
 * Shows the progress of work on stderr. At a terminal the states of before stay, and the last line is redrawn; elsewhere each
 * new state prints one line. `end` leaves the last state as a line, and may be called twice.
 */
export type Progress = { update(step: Step): void; end(): void };

/** What a progress display needs: the streams, the name of the work, the time, and the code that draws. */
export type ProgressOptions = Pick<LiveDisplayOptions, "now" | "loadUi"> & {
  readonly io: Io;
  readonly name: string;
  readonly measure: MeasureWidth;
};

const BAR_WIDTH = 20;
const STATE_WIDTH = 12;

/** A progress display that shows nothing. */
export const NO_PROGRESS: Progress = { update() {}, end() {} };

/** Creates a progress display. */
export function createProgress(options: ProgressOptions): Progress {
  return canRedraw(options.io.stderr, options.io.env) ? createLiveProgress(options) : createPrintedProgress(options);
}

/** Prints a line for each new state. */
function createPrintedProgress({ io, name, now }: ProgressOptions): Progress {
  let state: string | undefined;
  return {
    update(step) {
      if (step.state === state) return;
      state = step.state;
      const { detail = "", fraction } = step;
      const percentText = fraction === undefined ? "" : formatPercent(fraction);
      io.stderr.write(`${joinParts([name, state.padEnd(STATE_WIDTH), formatClock(now()), detail, percentText])}\n`);
    },
    end() {},
  };
}

/** The current state of the work, when it began, and the amounts that were measured during it. */
type CurrentStep = {
  readonly label: string;
  readonly since: Date;
  readonly step: Step;
  readonly samples: readonly Sample[];
};

function createLiveProgress({ io, name, now, measure, loadUi }: ProgressOptions): Progress {
  const display = createLiveDisplay({ stream: io.stderr, stdin: io.stdin, now, loadUi });
  let current: CurrentStep | undefined;
  const printCurrent = () => {
    if (current !== undefined) display.print(formatFinishedStep(current, io.env.unicode));
  };
  return {
    update(step) {
      const isNew = step.state !== current?.step.state;
      const at = now();
      if (isNew) printCurrent();
      const label = current === undefined ? name : " ".repeat(measure(name));
      const samples = isNew || current === undefined ? [] : current.samples;
      const next: CurrentStep = {
        label: isNew || current === undefined ? label : current.label,
        since: isNew || current === undefined ? at : current.since,
        step,
        samples: step.amount === undefined ? samples : addSample(samples, { at: at.getTime(), done: step.amount.done }),
      };
      current = next;
      display.show((time) => formatCurrentStep(next, time, io.env.unicode));
    },
    end() {
      printCurrent();
      current = undefined;
      display.close();
    },
  };
}

/** Returns the line of a state that is over, or the last one: `support-bot  weights       14:03:40  47 GB  ▰▰▰▰ 100 %`. */
function formatFinishedStep({ label, since, step }: CurrentStep, unicode: boolean): string {
  return joinParts([...formatHead(label, since, step), ...formatFraction(step, unicode)]);
}

/** Returns the line of the current state, with its rate, the time left and the time that it has taken. */
function formatCurrentStep({ label, since, step, samples }: CurrentStep, now: Date, unicode: boolean): string {
  const rateText = step.amount === undefined ? "" : formatRate(samples, step.amount, now);
  const elapsedMs = now.getTime() - since.getTime();
  const elapsedText = elapsedMs < 1000 ? "" : `for ${formatDuration(elapsedMs)}`;
  return joinParts([...formatHead(label, since, step), ...formatFraction(step, unicode), rateText, elapsedText]);
}

const formatHead = (label: string, since: Date, { state, detail = "" }: Step): readonly string[] => [
  label,
  state.padEnd(STATE_WIDTH),
  formatClock(since),
  detail,
];

function formatFraction({ fraction }: Step, unicode: boolean): readonly string[] {
  if (fraction === undefined) return [];
  return [drawBarbs(Math.round(fraction * BAR_WIDTH), BAR_WIDTH, unicode), formatPercent(fraction)];
}

const joinParts = (parts: readonly string[]): string => sanitizeLine(parts.filter((part) => part !== "").join("  "));
