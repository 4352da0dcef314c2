import { expect, test } from "vitest";
import { flagsOf, GLOBAL_FLAGS, propertyOf } from "../flags.ts";
import { GROUP_SUMMARIES, loadAllCommands, loadCommands, SECTIONS } from "./command-group.ts";
import { COMMANDS } from "./registry.ts";

const commands = await loadAllCommands(COMMANDS);

test("every group has commands with its name as prefix, and a known heading", async () => {
  for (const branch of COMMANDS) {
    const { name, section, summary } = branch;
    const own = await loadCommands(branch);
    expect(own, name).not.toEqual([]);
    expect(SECTIONS).toContain(section);
    // A noun that is a command itself says the same in both places.
    const [same] = own.filter((command) => command.name === name);
    if (same) expect(same.summary).toBe(summary);
  }
});

test("every group between a noun and its verbs has a summary", () => {
  const known = new Set([...COMMANDS, ...commands].map(({ name }) => name));
  const groups = commands.flatMap(({ name }) => {
    const words = name.split(" ");
    return words.slice(1).map((_, depth) => words.slice(0, depth + 1).join(" "));
  });
  expect(Object.keys(GROUP_SUMMARIES).toSorted()).toEqual(
    [...new Set(groups.filter((name) => !known.has(name)))].toSorted(),
  );
});

test("command names are unique, and no command is in two groups", () => {
  const names = commands.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test.each(commands.map((command) => [command.name, command] as const))(
  "%s is declared consistently",
  (name, command) => {
    expect(command.summary).toMatch(/^[A-Z].{3,70}[^.]$/);
    expect(command.examples[0]).toMatch(new RegExp(`feather ${name}\\b`));
    for (const { name, summary } of command.arguments ?? []) {
      expect(name).toMatch(/^[<[][a-z-]+(\.\.\.)?[>\]]$/);
      expect(summary).not.toBe("");
    }
    const isRead = command.prints === "list" || command.prints === "one";
    expect(isRead, "fields go with list and one").toBe(command.fields !== undefined);
    if (command.paged) expect(command.prints).toBe("list");
  },
);

test.each(commands.map((command) => [command.name, command] as const))(
  "the flags of %s are unambiguous",
  (_, command) => {
    const flags = [...flagsOf(command), ...GLOBAL_FLAGS];
    const letters = flags.flatMap(({ name }) => /^-\w(?=,)/.exec(name)?.[0] ?? []);
    expect(letters).toEqual([...new Set(letters)]);
    const properties = flags.map(propertyOf);
    expect(properties).toEqual([...new Set(properties)]);
  },
);
