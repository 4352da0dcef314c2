import { type AnyCommand, NEEDS } from "../command.ts";
import { flagsOf, GLOBAL_FLAGS } from "../flags.ts";
import { type Chapter, EXIT_CODES, usageOf, VARIABLES } from "./usage.ts";

/** Renders the man page of the program: its nouns, global options, variables and exit codes. */
export function programPage(chapters: readonly Chapter[]): string {
  return page("feather", "browse, call and run language models from the terminal", [
    heading("SYNOPSIS"),
    ".B feather",
    plain("<command> [options]"),
    heading("DESCRIPTION"),
    plain("Results are on stdout, words on stderr. In a pipe, lists are tab-separated with exact values."),
    heading("COMMANDS"),
    ...chapters.flatMap(({ name, summary }) => term(`feather-${name}(1)`, summary)),
    heading("OPTIONS"),
    ...GLOBAL_FLAGS.flatMap(({ name, summary, choices }) => term(name, withChoices(summary, choices))),
    heading("ENVIRONMENT"),
    ...VARIABLES.flatMap(([name, meaning]) => term(name, meaning)),
    heading("EXIT STATUS"),
    ...EXIT_CODES.flatMap(([code, meaning]) => term(String(code), meaning)),
  ]);
}

/** Renders the man page of a noun with its commands. */
export function nounPage({ name, summary, commands }: Chapter): string {
  return page(`feather-${name}`, lower(summary), [
    heading("SYNOPSIS"),
    ...commands.flatMap((command, index) => [...(index === 0 ? [] : [".br"]), plain(usageOf(command))]),
    heading("DESCRIPTION"),
    plain(`${summary}.`),
    ...commands.flatMap(commandPart),
    heading("SEE ALSO"),
    ".BR feather (1)",
  ]);
}

function commandPart(command: AnyCommand): readonly string[] {
  const { name, summary, about, needs, fields, arguments: taken = [], examples } = command;
  return [
    heading(`FEATHER ${name.toUpperCase()}`),
    plain(
      [`${summary}.`, about ?? "", needs === undefined ? "" : `Needs ${NEEDS[needs]}.`]
        .filter((part) => part !== "")
        .join(" "),
    ),
    ...taken.flatMap((argument) => term(argument.name, withChoices(argument.summary, argument.choices))),
    ...flagsOf(command).flatMap((flag) => term(flag.name, withChoices(flag.summary, flag.choices))),
    ...(fields === undefined ? [] : [".PP", plain(`Fields of --json: ${fields.join(", ")}.`)]),
    ".PP",
    "Examples:",
    ".RS 4",
    ".nf",
    ...examples.map(plain),
    ".fi",
    ".RE",
  ];
}

function page(name: string, summary: string, lines: readonly string[]): string {
  const head = [
    '.\\" Generated from the commands by packages/cli/generate.ts; do not edit.',
    `.TH "${name.toUpperCase()}" "1" "" "Feather" "Feather"`,
    heading("NAME"),
    plain(`${name} - ${summary}`),
  ];
  return `${[...head, ...lines].join("\n")}\n`;
}

const heading = (title: string): string => `.SH "${title}"`;

const term = (name: string, meaning: string): readonly string[] => [".TP", `\\fB${plain(name)}\\fR`, plain(meaning)];

/** Escapes text for roff, so that no line is read as a request. */
function plain(text: string): string {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const withChoices = (summary: string, choices: readonly string[] | undefined): string =>
  choices === undefined ? summary : `${summary}: ${choices.join(", ")}`;
