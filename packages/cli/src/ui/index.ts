import { type RenderOptions, render } from "ink";
import { createElement, type ReactElement } from "react";
import { InterruptedError } from "../errors.ts";
import type { Io } from "../output/io.ts";
import { wantsColor } from "../output/style.ts";
import { Chat, type ChatProps } from "./chat/chat.tsx";
import { openLiveLines } from "./live/open-live-lines.ts";
import { LiveUsage, type LiveUsageProps } from "./live-usage/live-usage.tsx";
import { Pick, type PickChoice } from "./pick/pick.tsx";
import { Prompt, type PromptProps } from "./prompt/prompt.tsx";
import { stopProcess } from "./stop-process.ts";
import { Top, type TopProps } from "./top/top.tsx";

export { openLiveLines, stopProcess };

/** Shows the chat screen until the person leaves. Throws `InterruptedError` when `signal` aborts. */
export const chat = (props: ChatProps, io: Io, signal: AbortSignal): Promise<void> =>
  draw(createElement(Chat, props), io.stdout, io, signal);

/** Shows the units in use as they change, until the person leaves. Throws `InterruptedError` when `signal` aborts. */
export const watchUsage = (props: LiveUsageProps, io: Io, signal: AbortSignal): Promise<void> =>
  draw(createElement(LiveUsage, props), io.stdout, io, signal);

/**
 * Shows the screen of `feather top` on the terminal's other screen, until the person leaves. Throws `InterruptedError`
 * when `signal` aborts.
 */
export const watchTop = (props: TopProps, io: Io, signal: AbortSignal): Promise<void> =>
  draw(createElement(Top, props), io.stdout, io, signal, { alternateScreen: true });

/** Asks for a line: `Email: ▌`. Throws `InterruptedError` when the person leaves. */
export const askLine = (label: string, io: Io, signal: AbortSignal): Promise<string> =>
  ask({ label, kind: "line" }, io, signal);

/** Asks for a secret, which is masked: `Password: ••••`. Throws `InterruptedError` when the person leaves. */
export const askSecret = (label: string, io: Io, signal: AbortSignal): Promise<string> =>
  ask({ label, kind: "secret" }, io, signal);

/** Asks a yes/no question; the default is no: `Delete it? (y/N) `. Throws `InterruptedError` when the person leaves. */
export const confirm = async (label: string, io: Io, signal: AbortSignal): Promise<boolean> =>
  /^y(es)?$/i.test((await ask({ label, kind: "confirm" }, io, signal)).trim());

/** Lets the person choose one of several, on stderr. Throws `InterruptedError` when they leave. */
export async function pick<T>(
  label: string,
  choices: readonly (PickChoice & { readonly value: T })[],
  io: Io,
  signal: AbortSignal,
): Promise<T> {
  let chosen: { readonly value: T } | undefined;
  const onChoice = (choice: { readonly value: T }) => {
    chosen = choice;
  };
  const props = { label, choices, unicode: io.env.unicode, color: wantsColor(true, io.env, true), onChoice };
  await draw(createElement(Pick<PickChoice & { readonly value: T }>, props), io.stderr, io, signal);
  if (chosen === undefined) throw new InterruptedError("nothing was chosen");
  return chosen.value;
}

/** Asks on stderr, because stdout is for results. Throws `InterruptedError` when the person leaves. */
async function ask(question: Pick<PromptProps, "label" | "kind">, io: Io, signal: AbortSignal): Promise<string> {
  let answer: string | undefined;
  const onAnswer = (text: string) => {
    answer = text;
  };
  await draw(createElement(Prompt, { ...question, unicode: io.env.unicode, onAnswer }), io.stderr, io, signal);
  if (answer === undefined) throw new InterruptedError("the question was not answered");
  return answer;
}

/** Draws on a stream of the process until the person leaves. Throws `InterruptedError` when `signal` aborts. */
async function draw(
  element: ReactElement,
  stdout: Io["stdout"],
  io: Io,
  signal: AbortSignal,
  options: Pick<RenderOptions, "alternateScreen"> = {},
): Promise<void> {
  failWhenAborted(signal);
  // Ink reads keys only after its first frame is on the screen. Without raw mode, a key pressed before that would be
  // handled by the terminal: Ctrl-C as a signal, Ctrl-D not at all.
  io.stdin.setRawMode?.(true);
  const app = render(element, {
    stdin: io.stdin as NodeJS.ReadStream,
    // Only streams of the process are drawn on.
    stdout: stdout as NodeJS.WriteStream,
    interactive: true,
    patchConsole: false,
    exitOnCtrlC: false,
    ...options,
  });
  const unmount = () => app.unmount();
  signal.addEventListener("abort", unmount);
  try {
    await app.waitUntilExit();
  } finally {
    signal.removeEventListener("abort", unmount);
    io.stdin.setRawMode?.(false);
  }
  failWhenAborted(signal);
}

function failWhenAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new InterruptedError("the program was interrupted");
}
