import { render } from "ink";
import { createElement } from "react";
import { InterruptedError } from "../errors.ts";
import type { Io } from "../output/io.ts";
import { wantsColor } from "../output/style.ts";
import { Chat, type ChatProps } from "./chat/chat.tsx";
import { openLiveLines } from "./live/open-live-lines.ts";
import { LiveUsage, type LiveUsageProps } from "./live-usage/live-usage.tsx";
import { Pick, type PickChoice } from "./pick/pick.tsx";
import { Prompt, type PromptProps } from "./prompt/prompt.tsx";
import { Top, type TopProps } from "./top/top.tsx";

export { openLiveLines };

/** Shows the chat screen until the person leaves. */
export async function chat(props: ChatProps, io: Io): Promise<void> {
  const app = render(createElement(Chat, props), {
    ...streams(io),
    stdout: nodeStream(io.stdout),
    exitOnCtrlC: false,
  });
  await app.waitUntilExit();
}

/** Shows the units in use as they change, until the person leaves. */
export async function watchUsage(props: LiveUsageProps, io: Io): Promise<void> {
  const app = render(createElement(LiveUsage, props), {
    ...streams(io),
    stdout: nodeStream(io.stdout),
    exitOnCtrlC: false,
  });
  await app.waitUntilExit();
}

/** Shows the screen of `feather top` on the terminal's other screen, until the person leaves. */
export async function watchTop(props: TopProps, io: Io): Promise<void> {
  const app = render(createElement(Top, props), {
    ...streams(io),
    stdout: nodeStream(io.stdout),
    exitOnCtrlC: false,
    alternateScreen: true,
  });
  await app.waitUntilExit();
}

/** Asks for a line: `Email: ▌`. */
export const askLine = (label: string, io: Io): Promise<string> => ask({ label, kind: "line" }, io);

/** Asks for a secret, which is masked: `Password: ••••`. */
export const askSecret = (label: string, io: Io): Promise<string> => ask({ label, kind: "secret" }, io);

/** Asks a yes/no question; the default is no: `Delete it? (y/N) `. */
export const confirm = async (label: string, io: Io): Promise<boolean> =>
  /^y(es)?$/i.test((await ask({ label, kind: "confirm" }, io)).trim());

/** Lets the person choose one of several, on stderr. Throws `InterruptedError` when they leave. */
export async function pick<T>(
  label: string,
  choices: readonly (PickChoice & { readonly value: T })[],
  io: Io,
): Promise<T> {
  let chosen: { readonly value: T } | undefined;
  const onChoice = (choice: { readonly value: T }) => {
    chosen = choice;
  };
  const color = wantsColor(true, io.env, true);
  const app = render(
    createElement(Pick<PickChoice & { readonly value: T }>, {
      label,
      choices,
      unicode: io.env.unicode,
      color,
      onChoice,
    }),
    {
      ...streams(io),
      stdout: nodeStream(io.stderr),
      exitOnCtrlC: false,
    },
  );
  await app.waitUntilExit();
  if (chosen === undefined) throw new InterruptedError("nothing was chosen");
  return chosen.value;
}

/** Asks on stderr, because stdout is for results. Throws `InterruptedError` when the person leaves. */
async function ask(question: Pick<PromptProps, "label" | "kind">, io: Io): Promise<string> {
  let answer: string | undefined;
  const onAnswer = (text: string) => {
    answer = text;
  };
  const app = render(createElement(Prompt, { ...question, unicode: io.env.unicode, onAnswer }), {
    ...streams(io),
    stdout: nodeStream(io.stderr),
    exitOnCtrlC: false,
  });
  await app.waitUntilExit();
  if (answer === undefined) throw new InterruptedError("the question was not answered");
  return answer;
}

function streams(io: Io) {
  return { stdin: io.stdin as NodeJS.ReadStream, interactive: true, patchConsole: false };
}

/** Returns the stream as the class that Ink expects. Prompts run only on the streams of the process. */
function nodeStream(stream: Io["stdout"]): NodeJS.WriteStream {
  return stream as NodeJS.WriteStream;
}
