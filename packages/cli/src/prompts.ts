import { InterruptedError, UsageError } from "./errors.ts";
import type { Io } from "./output/io.ts";
import type { WaitLine } from "./output/waits/wait-line.ts";

type Ui = typeof import("./ui/index.ts");

/** A choice of `pick`. Choices of the same `group` follow each other, below its name. */
export type Choice<T> = {
  readonly label: string;
  readonly note?: string;
  readonly group?: string;
  readonly value: T;
};

/** Functions that ask the person at the terminal. */
export type Prompts = {
  /**
   * Loads the code that draws on the whole terminal, such as the chat. Throws `UsageError` that names `flag` when
   * nobody can be asked.
   */
  readonly loadUi: (flag: string) => Promise<Ui>;
  /** Asks for a line. Throws `UsageError` that names `flag` when nobody can be asked. */
  readonly askLine: (label: string, flag: string) => Promise<string>;
  /** Asks for a secret, which is not echoed. Throws `UsageError` that names `flag` when nobody can be asked. */
  readonly askSecret: (label: string, flag: string) => Promise<string>;
  /**
   * Asks for confirmation, unless `--yes` was given; with `name`, the person has to type it. A question that needs
   * requests is a function, which is only called when a person can be asked. Throws `InterruptedError` when the answer
   * is no, and `UsageError` that names `--yes` when nobody can be asked.
   */
  readonly confirm: (question: string | (() => Promise<string>), name?: string) => Promise<void>;
  /** Lets the person choose one of several. Throws `UsageError` that names the alternative when nobody can be asked. */
  readonly pick: <T>(label: string, choices: readonly Choice<T>[], alternative: string) => Promise<T>;
};

type PromptsOptions = {
  readonly io: Io;
  /** Ends a question that is open, as if the person had left it. */
  readonly signal: AbortSignal;
  /** The line of waits, which is hidden during a question. */
  readonly waits: WaitLine;
  readonly loadUiModule: () => Promise<Ui>;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  /** Whether confirmations are skipped. */
  readonly yes: boolean;
};

/** Creates what asks a person at the terminal. The code that draws questions is loaded with the first one. */
export function createPrompts({ io, signal, waits, loadUiModule, interactive, yes }: PromptsOptions): Prompts {
  function requireInteractive(flag: string): void {
    if (!interactive) throw new UsageError(`there is nobody to ask here: use ${flag}`);
  }

  /** Asks while nothing else is drawn. */
  async function askPerson<Answer>(ask: (ui: Ui) => Promise<Answer>): Promise<Answer> {
    const resumeWaits = waits.suspend();
    // Until the prompt has loaded, the terminal would echo keys that are pressed already.
    io.stdin.setRawMode?.(true);
    try {
      return await ask(await loadUiModule());
    } finally {
      io.stdin.setRawMode?.(false);
      resumeWaits();
    }
  }

  return {
    async loadUi(flag) {
      requireInteractive(flag);
      // The loaded display shows its own waits.
      waits.suspend();
      return await loadUiModule();
    },
    async askLine(label, flag) {
      requireInteractive(flag);
      return askPerson((ui) => ui.askLine(label, io, signal));
    },
    async askSecret(label, flag) {
      requireInteractive(flag);
      return askPerson((ui) => ui.askSecret(label, io, signal));
    },
    async confirm(question, name) {
      if (yes) return;
      requireInteractive("--yes");
      const text = typeof question === "string" ? question : await question();
      const isConfirmed = await askPerson(async (ui) =>
        name === undefined
          ? ui.confirm(text, io, signal)
          : (await ui.askLine(`${text} Type ${name} to go on`, io, signal)).trim() === name,
      );
      if (!isConfirmed) throw new InterruptedError("it was not confirmed");
    },
    async pick(label, choices, alternative) {
      requireInteractive(alternative);
      return askPerson((ui) => ui.pick(label, choices, io, signal));
    },
  };
}
