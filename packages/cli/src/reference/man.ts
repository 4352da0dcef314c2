import { type AnyCommand, REQUIREMENT_LABELS } from "../command.ts";
import { flagsOf, GLOBAL_FLAGS } from "../flags.ts";
import { type Chapter, EXIT_CODES, formatUsage, VARIABLES } from "./usage.ts";

/** Renders the man page of the program: its nouns, global options, variables and exit codes. */
export function renderProgramPage(chapters: readonly Chapter[]): string {
  return renderPage("feather", "browse, call and run language models from the terminal", [
    heading("SYNOPSIS"),
    ".B feather",
    escapeRoff("<command> [options]"),
    heading("DESCRIPTION"),
    escapeRoff("Results are on stdout, words on stderr. In a pipe, lists are tab-separated with exact values."),
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
export function renderCommandPage({ name, summary, commands }: Chapter): string {
  return renderPage(`feather-${name}`, lower(summary), [
    heading("SYNOPSIS"),
    ...commands.flatMap((command, index) => [...(index === 0 ? [] : [".br"]), escapeRoff(formatUsage(command))]),
    heading("DESCRIPTION"),
    escapeRoff(`${summary}.`),
    ...commands.flatMap(renderCommand),
    heading("SEE ALSO"),
    ".BR feather (1)",
  ]);
}

function renderCommand(command: AnyCommand): readonly string[] {
  const { name, summary, description, needs, fields, arguments: args = [], examples } = command;
  return [
    heading(`FEATHER ${name.toUpperCase()}`),
    escapeRoff(
      [`${summary}.`, description ?? "", needs === undefined ? "" : `Needs ${REQUIREMENT_LABELS[needs]}.`]
        .filter((part) => part !== "")
        .join(" "),
    ),
    ...args.flatMap((argument) => term(argument.name, withChoices(argument.summary, argument.choices))),
    ...flagsOf(command).flatMap((flag) => term(flag.name, withChoices(flag.summary, flag.choices))),
    ...(fields === undefined ? [] : [".PP", escapeRoff(`Fields of --json: ${fields.join(", ")}.`)]),
    ".PP",
    "Examples:",
    ".RS 4",
    ".nf",
    ...examples.map(escapeRoff),
    ".fi",
    ".RE",
  ];
}

function renderPage(name: string, summary: string, lines: readonly string[]): string {
  const head = [
    '.\\" Generated from the commands by packages/cli/generate.ts; do not edit.',
    `.TH "${name.toUpperCase()}" "1" "" "Feather" "Feather"`,
    heading("NAME"),
    escapeRoff(`${name} - ${summary}`),
  ];
  return `${[...head, ...lines].join("\n")}\n`;
}

const heading = (title: string): string => `.SH "${title}"`;

const term = (name: string, meaning: string): readonly string[] => [
  ".TP",
  `\\fB${escapeRoff(name)}\\fR`,
  escapeRoff(meaning),
];

/** Escapes text for roff, so that no line is read as a request. */
function escapeRoff(text: string): string {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const withChoices = (summary: string, choices: readonly string[] | undefined): string =>
  choices === undefined ? summary : `${summary}: ${choices.join(", ")}`;
