import { type CommanderError, Option, Command as Parser } from "commander";
import { type AnyCommand, REQUIREMENT_LABELS } from "../command.ts";
import type { Flag, FlagValues } from "../command-line.ts";
import { ALIASES, isCommandWord } from "../commands/aliases.ts";
import { type CommandGroup, GROUP_SUMMARIES, loadCommands } from "../commands/command-group.ts";
import { COMMANDS } from "../commands/registry.ts";
import { UsageError } from "../errors.ts";
import { flagsOf, GLOBAL_FLAGS } from "../flags.ts";
import { createStreamStyle, type Io } from "../output/io.ts";
import type { Style } from "../output/style.ts";
import { measureAsciiWidth } from "../output/width.ts";
import { wrapCommand, wrapWords } from "../output/wrap.ts";

/** The notes below the help of the program, by their headings. */
const HELP_FOOTER: readonly (readonly [heading: string, text: string])[] = [
  [
    "Short",
    Object.entries(ALIASES)
      .map(([name, words]) => `${name} for ${words.join(" ")}`)
      .join(", "),
  ],
  [
    "Environment",
    "FEATHER_BASE_URL, FEATHER_API_KEY, FEATHER_TOKEN, FEATHER_PROFILE, FEATHER_CONFIG_DIR, FEATHER_DEBUG=http, NO_COLOR",
  ],
  [
    "Exit codes",
    "0 done, 1 failed, 2 wrong use, 3 not found, 4 not signed in or not allowed, 5 the work ended badly, 6 conflict, 7 limited by units, rate, plan or credit, 8 timed out waiting, 9 server fault, 10 network, 130 interrupted",
  ],
];
/** Descriptions beside options are wrapped also where they have only this many columns. */
const MIN_HELP_WIDTH = 12;
const GLOBAL_OPTIONS_HEADING = "Options of all commands:";

/** The streams that help is printed on, and the version of the program. */
export type ParserOptions = { readonly io: Io; readonly version: string };

/** Receives the command that a command line names, with its arguments and flags. */
export type OnCommand = (command: AnyCommand, args: readonly string[], flags: FlagValues) => Promise<void>;

/** Creates the parser with the commands that this command line names. Wrong use throws `CommanderError`. */
export async function createParser(
  argv: readonly string[],
  { io, version }: ParserOptions,
  onCommand: OnCommand,
): Promise<Parser> {
  const style = createStreamStyle(io.stdout, io, { color: !argv.includes("--no-color") });
  const root = new Parser("feather")
    .description("Browse, call and run language models from the terminal.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .addHelpText("after", () => boldHeadings(formatHelpFooter(io.stdout.columns ?? 80), style));
  addFlags(configureParser(root, io, style), GLOBAL_FLAGS);
  const words = commandWords(argv);
  for (const commandGroup of COMMANDS) {
    const parser = createGroupParser(root, commandGroup);
    if (!isNamed(commandGroup, words)) continue;
    const commands = await loadCommands(commandGroup);
    // Where the noun is a command itself, flags after a verb belong to the verb.
    if (commands.length > 1 && commands.some(({ name }) => name === commandGroup.name))
      for (const one of [root, parser]) one.enablePositionalOptions();
    for (const command of commands)
      addCommand(
        root,
        command.name === commandGroup.name ? parser : createSubparser(parser, commandGroup, command),
        command,
        style,
        (args, flags) => onCommand(command, args, flags),
      );
  }
  return root;
}

/** Returns the notes below the help of the program, wrapped behind their headings. */
function formatHelpFooter(width: number): string {
  const lines = HELP_FOOTER.map(([heading, text]) => {
    const indent = heading.length + ": ".length;
    const wrapped = wrapWords(text, width - indent, measureAsciiWidth);
    return `${heading}: ${wrapped.replaceAll("\n", `\n${" ".repeat(indent)}`)}`;
  });
  return `\n${lines.join("\n")}\n`;
}

/** Returns the words that are not flags; the first ones name the command. A leading `help` is removed. */
function commandWords(argv: readonly string[]): readonly string[] {
  const words = argv.filter((word, index) => isCommandWord(word, argv[index - 1]));
  return words[0] === "help" ? words.slice(1) : words;
}

/** Returns the longest beginning of a command line that names a group: `feather keys`, or `feather` alone. */
export function nameGroup(argv: readonly string[]): string {
  const words = commandWords(argv);
  const groups = COMMANDS.flatMap(({ name }) => listBeginnings(name)).filter((name) => isNamed({ name }, words));
  const [longest] = groups.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? "feather" : `feather ${longest}`;
}

/** Returns `admin` and `admin users` for `admin users`. */
const listBeginnings = (name: string): string[] =>
  name.split(" ").map((_, index, parts) => parts.slice(0, index + 1).join(" "));

const isNamed = ({ name }: Pick<CommandGroup, "name">, words: readonly string[]): boolean =>
  name.split(" ").every((part, index) => words[index] === part);

/** Creates the parser of a group, and the parsers of the nouns above it. */
function createGroupParser(root: Parser, commandGroup: CommandGroup): Parser {
  const names = commandGroup.name.split(" ");
  return names.reduce((parent, name, depth) => {
    const known = parent.commands.find((one) => one.name() === name);
    if (known) return known;
    const parser = parent.command(name, commandGroup.hidden ? { hidden: true } : {}).copyInheritedSettings(parent);
    parser.description(depth === names.length - 1 ? commandGroup.summary : summaryOf(names, depth));
    return depth === 0 ? parser.helpGroup(`${commandGroup.section}:`) : parser;
  }, root);
}

function createSubparser(parser: Parser, commandGroup: CommandGroup, command: AnyCommand): Parser {
  const names = command.name.slice(commandGroup.name.length + 1).split(" ");
  return names.reduce((parent, name, depth) => {
    const known = parent.commands.find((one) => one.name() === name);
    const path = [...commandGroup.name.split(" "), ...names];
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
  GROUP_SUMMARIES[names.slice(0, depth + 1).join(" ")] ?? "";

function configureParser(parser: Parser, io: Io, style: Style): Parser {
  const usageIndent = " ".repeat("Usage: ".length);
  const usageWidth = (io.stdout.columns ?? 80) - usageIndent.length;
  parser.configureHelp({
    styleTitle: style.bold,
    styleUsage: (usage) => wrapWords(usage, usageWidth, measureAsciiWidth).replaceAll("\n", `\n${usageIndent}`),
    minWidthToWrap: MIN_HELP_WIDTH,
  });
  return parser.exitOverride().configureOutput({
    getOutHasColors: () => style.color,
    getErrHasColors: () => style.color,
    writeOut: (text) => void io.stdout.write(text),
    writeErr: (text) => void io.stderr.write(text),
    // Errors are reported by `printExitReport` only.
    outputError: () => {},
    getOutHelpWidth: () => io.stdout.columns ?? 80,
    getErrHelpWidth: () => io.stderr.columns ?? 80,
  });
}

type Action = (args: readonly string[], flags: FlagValues) => Promise<void>;

function addCommand(root: Parser, parser: Parser, command: AnyCommand, style: Style, action: Action): void {
  const width = parser.configureOutput().getOutHelpWidth?.() ?? 80;
  parser.description([command.summary, command.description ?? ""].join("\n\n").trim()).summary(command.summary);
  for (const { name, summary, choices } of command.arguments ?? []) {
    const argument = parser.createArgument(name, summary);
    parser.addArgument(choices ? argument.choices(choices) : argument);
  }
  parser.exitOverride((error) => {
    throw error.code === "commander.missingArgument" ? createMissingArgumentError(command, error) : error;
  });
  addFlags(parser, flagsOf(command));
  addFlags(parser, GLOBAL_FLAGS, GLOBAL_OPTIONS_HEADING)
    .addHelpText("after", () => boldHeadings(formatHelpNotes(command, width), style))
    .action(() => action(parser.args, { ...parser.opts(), ...explicitOptions(root), ...explicitOptions(parser) }));
}

/**
 * Returns the error for a missing required argument: it describes the argument, and shows how the command is written.
 */
function createMissingArgumentError({ name, arguments: all = [] }: AnyCommand, error: CommanderError): UsageError {
  const missing = /'(.+)'/.exec(error.message)?.[1];
  const argument = all.find((one) => one.name === `<${missing}>` || one.name === `<${missing}...>`);
  return new UsageError(
    `${error.message.replace(/^error: /, "")}${argument === undefined ? "" : `: ${argument.summary}`}`,
    ["feather", name, ...all.map((one) => one.name)].join(" "),
  );
}

/** Makes the words before a colon at the beginning of a line bold, as commander does with its own headings. */
const boldHeadings = (text: string, style: Style): string =>
  text.replace(/^[A-Z][a-z]*(?: [a-z]+)*(?: --json)?:/gm, (heading) => style.bold(heading));

/** Returns the help below the options: requirements, fields and examples. */
function formatHelpNotes({ fields, needs, examples }: AnyCommand, width: number): string {
  const parts = [
    ...(needs === undefined ? [] : [`Needs ${REQUIREMENT_LABELS[needs]}.`]),
    ...(fields === undefined ? [] : [wrapWords(`Fields of --json: ${fields.join(", ")}`, width, measureAsciiWidth)]),
    `Examples:\n${examples.map((line) => `  $ ${wrapCommand(line, width - 4, "      ")}`).join("\n")}`,
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
function explicitOptions(parser: Parser): FlagValues {
  return Object.fromEntries(
    Object.entries(parser.opts()).filter(([name]) => parser.getOptionValueSource(name) === "cli"),
  );
}
