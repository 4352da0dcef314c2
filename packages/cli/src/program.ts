import { Option, Command as Parser } from "commander";
import { type AnyCommand, type Flag, type FlagValues, NEEDS } from "./command.ts";
import { type Branch, commandsOf, GROUPS } from "./commands/branch.ts";
import { TABLE } from "./commands/table.ts";
import { createContext, type GlobalFlags, type World } from "./context.ts";
import { flagsOf, GLOBAL_FLAGS, propertyOf } from "./flags.ts";
import type { Io } from "./output/io.ts";
import type { Mode } from "./output/mode.ts";
import { asciiWidth, loadWidth } from "./output/width.ts";
import { wrapWords } from "./output/wrap.ts";

const AFTER = `
Environment: FEATHER_BASE_URL, FEATHER_API_KEY, FEATHER_TOKEN, FEATHER_PROFILE, FEATHER_CONFIG_DIR, NO_COLOR
Exit codes: 0 done, 1 failed, 2 wrong use, 3 not found, 4 not signed in or not allowed, 5 the work ended badly,
            6 conflict, 7 limited, 8 timed out waiting, 9 server fault, 10 network, 130 interrupted
`;
const GLOBAL = "Options of all commands:";

/** The runtime, streams and version that the program runs with. */
export type Run = World & { readonly io: Io; readonly version: string };

/** Creates the parser with the commands that this command line names. Wrong use throws `CommanderError`. */
export async function createProgram(argv: readonly string[], { io, version, ...world }: Run): Promise<Parser> {
  const root = new Parser("feather")
    .description("Browse, call and run language models from the terminal.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .addHelpText("after", AFTER);
  addFlags(prepare(root, io), GLOBAL_FLAGS);
  const words = wordsOf(argv);
  for (const branch of TABLE) {
    const parser = branchParser(root, branch);
    if (!isMeant(branch, words)) continue;
    const commands = await commandsOf(branch);
    // Where the noun is a command itself, flags after a verb belong to the verb.
    if (commands.length > 1 && commands.some(({ name }) => name === branch.name))
      for (const one of [root, parser]) one.enablePositionalOptions();
    for (const command of commands)
      addCommand(
        root,
        command.name === branch.name ? parser : below(parser, branch, command),
        command,
        async (args, flags) => {
          const globals = globalFlags(flags);
          const seen = io.stdout.isTTY === true || io.stderr.isTTY === true || globals.format === "human";
          const measure = seen ? await loadWidth() : asciiWidth;
          const filter = globals.jq === undefined ? undefined : await jq(globals.jq, io.stdout.isTTY === true);
          const again = `feather ${command.name}${isNarrowed(command, args, flags) ? " …" : ""}`;
          await command.execute(
            createContext(
              io,
              { flags: globals, again, filter, measure, newProfile: command.signsIn === true, table: TABLE, version },
              world,
            ),
            args,
            flags,
          );
        },
      );
  }
  return root;
}

/** Returns the words that are not flags; the first ones name the command. A leading `help` is removed. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const takesValue = new Set(GLOBAL_FLAGS.flatMap(({ name }) => (/</.test(name) ? [name.split(" ")[0]] : [])));
  const words = argv.filter((word, index) => !word.startsWith("-") && !takesValue.has(argv[index - 1]));
  return words[0] === "help" ? words.slice(1) : words;
}

const isMeant = ({ name }: Branch, words: readonly string[]): boolean =>
  name.split(" ").every((part, index) => words[index] === part);

/** Creates the parser of a group, and the parsers of the nouns above it. */
function branchParser(root: Parser, branch: Branch): Parser {
  const names = branch.name.split(" ");
  return names.reduce((parent, name, depth) => {
    const known = parent.commands.find((one) => one.name() === name);
    if (known) return known;
    const parser = parent.command(name, branch.hidden ? { hidden: true } : {}).copyInheritedSettings(parent);
    parser.description(depth === names.length - 1 ? branch.summary : summaryOf(names, depth));
    return depth === 0 ? parser.helpGroup(`${branch.section}:`) : parser;
  }, root);
}

function below(parser: Parser, branch: Branch, command: AnyCommand): Parser {
  const names = command.name.slice(branch.name.length + 1).split(" ");
  return names.reduce((parent, name, depth) => {
    const known = parent.commands.find((one) => one.name() === name);
    const path = [...branch.name.split(" "), ...names];
    return (
      known ??
      parent
        .command(name)
        .copyInheritedSettings(parent)
        .description(summaryOf(path, path.length - names.length + depth))
    );
  }, parser);
}

/** Returns the summary of a group; empty for a command, which has its own. */
const summaryOf = (names: readonly string[], depth: number): string =>
  GROUPS[names.slice(0, depth + 1).join(" ")] ?? "";

function prepare(parser: Parser, io: Io): Parser {
  return parser.exitOverride().configureOutput({
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
    // Errors are reported by `printExitReport` only.
    outputError: () => {},
    getOutHelpWidth: () => io.stdout.columns ?? 80,
    getErrHelpWidth: () => io.stderr.columns ?? 80,
  });
}

type Action = (args: readonly string[], flags: FlagValues) => Promise<void>;

function addCommand(root: Parser, parser: Parser, command: AnyCommand, action: Action): void {
  const width = parser.configureOutput().getOutHelpWidth?.() ?? 80;
  parser.description([command.summary, command.about ?? ""].join("\n\n").trim()).summary(command.summary);
  for (const { name, summary, choices } of command.arguments ?? []) {
    const argument = parser.createArgument(name, summary);
    parser.addArgument(choices ? argument.choices(choices) : argument);
  }
  addFlags(parser, flagsOf(command));
  addFlags(parser, GLOBAL_FLAGS, GLOBAL)
    .addHelpText("after", notesOf(command, width))
    .action(() => action(parser.args, { ...parser.opts(), ...givenTo(root), ...givenTo(parser) }));
}

/** Returns the help below the options: requirements, fields and examples. */
function notesOf({ fields, needs, examples }: AnyCommand, width: number): string {
  const parts = [
    ...(needs === undefined ? [] : [`Needs ${NEEDS[needs]}.`]),
    ...(fields === undefined ? [] : [wrapWords(`Fields of --json: ${fields.join(", ")}`, width, asciiWidth)]),
    `Examples:\n${examples.map((line) => `  $ ${line}`).join("\n")}`,
  ];
  return `\n${parts.join("\n\n")}`;
}

function addFlags(parser: Parser, flags: readonly Flag[], group?: string): Parser {
  for (const { name, summary, parse, choices, property } of flags) {
    const option = new Option(name, summary);
    if (property) option.attributeName = () => property;
    if (parse) option.argParser(parse);
    if (choices) option.choices(choices);
    if (group) option.helpGroup(group);
    parser.addOption(option);
  }
  return parser;
}

/** Returns the flags that were given on the command line, without defaults. */
function givenTo(parser: Parser): FlagValues {
  return Object.fromEntries(
    Object.entries(parser.opts()).filter(([name]) => parser.getOptionValueSource(name) === "cli"),
  );
}

/** Returns whether the command line has arguments or filters besides the page. */
function isNarrowed(command: AnyCommand, args: readonly string[], flags: FlagValues): boolean {
  const outside = new Set(["page", ...GLOBAL_FLAGS.map(propertyOf)]);
  return (
    args.length > 0 ||
    flagsOf(command)
      .map(propertyOf)
      .some((name) => !outside.has(name) && flags[name] !== undefined)
  );
}

async function jq(filter: string, pretty: boolean): Promise<(value: unknown) => string> {
  return (await import("./output/jq.ts")).jqFilter(filter, pretty);
}

function globalFlags(flags: FlagValues): GlobalFlags {
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    json: flags.json === true ? true : text(flags.json),
    jq: text(flags.jq),
    quiet: flags.quiet === true,
    csv: flags.csv === true,
    format: text(flags.format) as Mode | undefined,
    color: flags.color !== false,
    input: flags.input !== false,
    yes: flags.yes === true,
    baseUrl: text(flags.baseUrl),
    profile: text(flags.profile),
  };
}
