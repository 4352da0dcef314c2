import { type AnyCommand, REQUIREMENT_LABELS } from "../command.ts";
import { flagsOf, GLOBAL_FLAGS } from "../flags.ts";
import { type Chapter, EXIT_CODES, formatUsage, VARIABLES } from "./usage.ts";

const HEAD = `---
title: Command line reference
description: Every command of the terminal program, with its arguments, flags and examples.
section: Build on it
order: 9
---

<!-- Generated from the commands by packages/cli/generate.ts; do not edit. -->

What every command takes, and what its exit code says, stands at the end. \`feather <command> --help\` says the same in the terminal.
`;

/** Renders the reference as a Markdown page of the docs. */
export function renderReferencePage(chapters: readonly Chapter[]): string {
  const parts = chapters.flatMap(({ name, summary, commands }) => [
    `## ${name}`,
    `${summary}.`,
    ...commands.flatMap((command) =>
      command.name === name
        ? renderBody(command)
        : [`### feather ${command.name}`, `${command.summary}.`, ...renderBody(command)],
    ),
  ]);
  const end = [
    "## Options of all commands",
    renderTable(
      ["Option", "Meaning"],
      GLOBAL_FLAGS.map(({ name, summary, choices }) => [code(name), withChoices(summary, choices)]),
    ),
    "## Environment",
    renderTable(
      ["Variable", "Meaning"],
      VARIABLES.map(([name, meaning]) => [
        name
          .split(", ")
          .map((one) => (/^[A-Z_]+$/.test(one) ? code(one) : one))
          .join(", "),
        meaning,
      ]),
    ),
    "## Exit codes",
    renderTable(
      ["Code", "Meaning"],
      EXIT_CODES.map(([value, meaning]) => [String(value), meaning]),
    ),
  ];
  return `${[HEAD.trimEnd(), ...parts, ...end].join("\n\n")}\n`;
}

function renderBody(command: AnyCommand): readonly string[] {
  const { description, needs, fields, arguments: args = [], examples } = command;
  const options = [
    ...args.map(({ name, summary, choices }) => [code(name), withChoices(summary, choices)]),
    ...flagsOf(command).map(({ name, summary, choices }) => [code(name), withChoices(summary, choices)]),
  ];
  return [
    ...(description === undefined ? [] : [text(description)]),
    block(formatUsage(command)),
    ...(needs === undefined ? [] : [`Needs ${REQUIREMENT_LABELS[needs]}.`]),
    ...(options.length === 0 ? [] : [renderTable(["Argument or option", "Meaning"], options)]),
    ...(fields === undefined ? [] : [`Fields of \`--json\`: ${fields.map(code).join(", ")}.`]),
    block(examples.join("\n")),
  ];
}

const block = (lines: string): string => `\`\`\`bash literal\n${lines}\n\`\`\``;
const code = (value: string): string => `\`${value.replaceAll("|", "\\|")}\``;
const text = (value: string): string => value.replace(/[<>]/g, (bracket) => (bracket === "<" ? "&lt;" : "&gt;"));

const withChoices = (summary: string, choices: readonly string[] | undefined): string =>
  text(choices === undefined ? summary : `${summary}: ${choices.join(", ")}`);

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
