import { type AnyCommand, NEEDS } from "../command.ts";
import { flagsOf, GLOBAL_FLAGS } from "../flags.ts";
import { type Chapter, EXIT_CODES, usageOf, VARIABLES } from "./usage.ts";

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
export function referencePage(chapters: readonly Chapter[]): string {
  const parts = chapters.flatMap(({ name, summary, commands }) => [
    `## ${name}`,
    `${summary}.`,
    ...commands.flatMap((command) =>
      command.name === name
        ? bodyOf(command)
        : [`### feather ${command.name}`, `${command.summary}.`, ...bodyOf(command)],
    ),
  ]);
  const end = [
    "## Options of all commands",
    tableOf(
      ["Option", "Meaning"],
      GLOBAL_FLAGS.map(({ name, summary, choices }) => [code(name), withChoices(summary, choices)]),
    ),
    "## Environment",
    tableOf(
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
    tableOf(
      ["Code", "Meaning"],
      EXIT_CODES.map(([value, meaning]) => [String(value), meaning]),
    ),
  ];
  return `${[HEAD.trimEnd(), ...parts, ...end].join("\n\n")}\n`;
}

function bodyOf(command: AnyCommand): readonly string[] {
  const { about, needs, fields, arguments: taken = [], examples } = command;
  const options = [
    ...taken.map(({ name, summary, choices }) => [code(name), withChoices(summary, choices)]),
    ...flagsOf(command).map(({ name, summary, choices }) => [code(name), withChoices(summary, choices)]),
  ];
  return [
    ...(about === undefined ? [] : [text(about)]),
    block(usageOf(command)),
    ...(needs === undefined ? [] : [`Needs ${NEEDS[needs]}.`]),
    ...(options.length === 0 ? [] : [tableOf(["Argument or option", "Meaning"], options)]),
    ...(fields === undefined ? [] : [`Fields of \`--json\`: ${fields.map(code).join(", ")}.`]),
    block(examples.join("\n")),
  ];
}

const block = (lines: string): string => `\`\`\`bash literal\n${lines}\n\`\`\``;
const code = (value: string): string => `\`${value.replaceAll("|", "\\|")}\``;
const text = (value: string): string => value.replace(/[<>]/g, (bracket) => (bracket === "<" ? "&lt;" : "&gt;"));

const withChoices = (summary: string, choices: readonly string[] | undefined): string =>
  text(choices === undefined ? summary : `${summary}: ${choices.join(", ")}`);

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
