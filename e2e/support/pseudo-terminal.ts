import { waitFor } from "@feather/testing/wait-for";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { expect } from "vitest";

type TerminalOptions = {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Record<string, string>;
};

/** Runs a program in a pseudo-terminal and exposes its screen. */
export function openTerminal(
  file: string,
  args: string[],
  { columns = 80, rows = 30, env = {} }: TerminalOptions = {},
) {
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 500, allowProposedApi: true });
  const pty = spawn(file, args, {
    cols: columns,
    rows,
    env: { PATH: process.env.PATH ?? "", TERM: "xterm-256color", LANG: "C.UTF-8", ...env },
  });
  let raw = "";
  pty.onData((text) => {
    raw += text;
    screen.write(text);
  });
  const ended = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode)),
  );

  /** Returns the screen with its scrollback, without trailing empty lines. */
  const text = (): string => {
    const { active } = screen.buffer;
    const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? "");
    return lines.join("\n").trimEnd();
  };
  return {
    text,
    /** Returns the text on the screen now, without the scrollback. */
    screen(): string {
      const { active } = screen.buffer;
      const lines = Array.from(
        { length: rows },
        (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
      );
      return lines.join("\n");
    },
    /** Returns everything the program wrote, including escape sequences. */
    raw: () => raw,
    typeKeys: (keys: string) => pty.write(keys),
    resize(newColumns: number) {
      pty.resize(newColumns, rows);
      screen.resize(newColumns, rows);
    },
    waitForText: (expected: string) => waitFor(() => expect(text()).toContain(expected)),
    /** Resolves with the exit code, as a shell reports it, once all output is on the screen. */
    async ended(): Promise<number> {
      const code = await ended;
      await new Promise<void>((resolve) => screen.write("", resolve));
      return code;
    },
    signal: (name: NodeJS.Signals) => pty.kill(name),
    kill: () => pty.kill(),
  };
}
