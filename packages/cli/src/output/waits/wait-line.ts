import { createLiveDisplay, LIVE_DELAY_MS, type LiveDisplay, type LiveDisplayOptions } from "../live-display.ts";
import { sanitizeLine } from "../sanitize.ts";
import type { Style } from "../style.ts";
import { formatDuration } from "../time.ts";
import { createWaitNotices, NOTICE_DELAY_MS } from "./wait-notices.ts";

/** A wait that is going on. */
export type Wait = {
  /** Says from now on that something else is waited for, and counts its time anew. */
  change(label: string): void;
  /** Ends the wait and removes its line. May be called twice. */
  end(): void;
  /** Ends the wait without an answer: the line stays until the next wait, because the request is repeated or reported. */
  fail(): void;
};

/** The line that says what a command waits for, and for how long: `Waiting for the server, 3 s`. */
export type WaitLine = {
  /** Begins a wait for `label`, or for the server. The line of a labelled wait goes before that of the server. */
  begin(label?: string): Wait;
  /** Removes the line before something else is written. Waits that have not ended show it again after the delay. */
  hide(): void;
  /** Shows nothing until the returned function is called, because something else draws on the terminal. */
  suspend(): () => void;
  /** Returns whether something else draws on the terminal. */
  isSuspended(): boolean;
  /** Ends all waits. */
  close(): void;
};

/** What the line needs. Where it cannot be redrawn, as in a pipe, it is written once a wait takes long; where it is not wanted, never. */
export type WaitLineOptions = Omit<LiveDisplayOptions, "delayMs"> & {
  readonly form: "redrawn" | "written" | "none";
  readonly style: Style;
};

/** A request that is sent so soon after an answer belongs to the same wait, as for the next page of a list. */
const MAX_GAP_MS = 250;

type ActiveWait = { label: string | undefined; since: number; isOver: boolean };

const NO_WAIT: Wait = { change() {}, end() {}, fail() {} };

/** Creates the line of a command's waits. */
export function createWaitLine({ form, style, ...options }: WaitLineOptions): WaitLine {
  const time = () => options.now().getTime();
  let waits: readonly ActiveWait[] = [];
  let display: LiveDisplay | undefined;
  let previous: { readonly since: number; readonly endedAt: number } | undefined;
  let suspensions = 0;

  /** Shows the wait that matters most, or nothing. */
  function update(): void {
    const current = waits.findLast(({ label }) => label !== undefined) ?? waits.at(-1);
    if (current === undefined || suspensions > 0) {
      removeLine();
      return;
    }
    const elapsedMs = time() - current.since;
    display ??=
      form === "redrawn"
        ? createLiveDisplay({ ...options, delayMs: Math.max(0, LIVE_DELAY_MS - elapsedMs) })
        : createWaitNotices({ ...options, delayMs: Math.max(0, NOTICE_DELAY_MS - elapsedMs) });
    display.show((now) => style.dim(formatWait(current.label, now.getTime() - current.since)));
  }

  function removeLine(): void {
    display?.close();
    display = undefined;
  }

  function remove(wait: ActiveWait): void {
    if (!waits.includes(wait)) return;
    waits = waits.filter((other) => other !== wait);
    if (wait.label === undefined) previous = { since: wait.since, endedAt: time() };
    update();
  }

  /** Returns since when the server is waited for, if it is the same wait as the previous one. */
  function findStart(): number {
    const failed = waits.find(({ isOver }) => isOver);
    waits = waits.filter(({ isOver }) => !isOver);
    if (failed !== undefined) return failed.since;
    return previous !== undefined && time() - previous.endedAt <= MAX_GAP_MS ? previous.since : time();
  }

  return {
    begin(label) {
      if (form === "none") return NO_WAIT;
      const wait: ActiveWait = { label, since: label === undefined ? findStart() : time(), isOver: false };
      waits = [...waits, wait];
      update();
      return {
        change(next) {
          if (wait.label === next || !waits.includes(wait)) return;
          Object.assign(wait, { label: next, since: time() });
          update();
        },
        end: () => remove(wait),
        fail() {
          wait.isOver = true;
        },
      };
    },
    hide() {
      waits = waits.filter(({ isOver }) => !isOver);
      removeLine();
      previous = undefined;
      for (const wait of waits) wait.since = time();
      update();
    },
    suspend() {
      suspensions += 1;
      update();
      let isSuspended = true;
      return () => {
        if (!isSuspended) return;
        isSuspended = false;
        suspensions -= 1;
        update();
      };
    },
    isSuspended: () => suspensions > 0,
    close() {
      waits = [];
      removeLine();
    },
  };
}

/** Returns the line of a wait that has taken this many milliseconds: `Waiting for the server, 3 s`. */
export function formatWait(label: string | undefined, elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  const text = sanitizeLine(label ?? "Waiting for the server");
  return seconds < 1 ? text : `${text}, ${formatDuration(seconds * 1000)}`;
}
