import { Readable } from "node:stream";
import { readEnvironment } from "../config/environment.ts";
import type { Io } from "../output/io.ts";
import { normalizeArguments } from "../start/arguments.ts";
import { createParser } from "../start/parser.ts";
import { createMemoryStream, NOW } from "./run-cli.ts";

/** A command line as a command understands it. */
export type ParsedLine = { readonly name: string; readonly options: unknown };

/** Parses a command line and runs nothing. Throws what the parser or the command throws. */
export async function parseLine(argv: readonly string[]): Promise<ParsedLine> {
  const io: Io = {
    stdin: Readable.from([]),
    stdout: createMemoryStream(),
    stderr: createMemoryStream(),
    env: readEnvironment({}, "linux"),
  };
  let parsed: ParsedLine | undefined;
  const args = normalizeArguments(argv, () => ({}));
  const parser = await createParser(args, { io, version: "1.2.3" }, async (command, positional, flags) => {
    parsed = { name: command.name, options: command.parse(positional, flags, NOW) };
  });
  await parser.parseAsync(args, { from: "user" });
  if (parsed === undefined) throw new Error(`no command was named by ${argv.join(" ")}`);
  return parsed;
}
