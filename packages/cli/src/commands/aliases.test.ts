import { expect, test } from "vitest";
import { runCli } from "../testing/run-cli.ts";
import { ALIASES, expandAlias } from "./aliases.ts";
import { COMMANDS } from "./registry.ts";

test.each([
  [
    ["ls", "-q"],
    ["models", "list", "-q"],
  ],
  [
    ["--profile", "ls", "ls"],
    ["--profile", "ls", "models", "list"],
  ],
  [
    ["--no-input", "ls", "--json"],
    ["--no-input", "models", "list", "--json"],
  ],
  [
    ["pull", "Qwen/Qwen3-0.6B", "--wait"],
    ["models", "pull", "Qwen/Qwen3-0.6B", "--wait"],
  ],
  [
    ["ls", "--help"],
    ["models", "list", "--help"],
  ],
])("%j stands for %j", (argv, expanded) => {
  expect(expandAlias(argv)).toEqual(expanded);
});

test.each([[["chat", "ls"]], [["keys", "ls"]], [[]], [["--version"]], [["toString"]]])("%j stays as it is", (argv) => {
  expect(expandAlias(argv)).toEqual(argv);
});

test("no alias hides a command, and help names all of them", async () => {
  const nouns = COMMANDS.map(({ name }) => name.split(" ")[0]);
  expect(Object.keys(ALIASES).filter((name) => nouns.includes(name))).toEqual([]);
  const { out } = await runCli(["--help"], {});
  for (const [name, words] of Object.entries(ALIASES)) expect(out).toContain(`${name} for ${words.join(" ")}`);
});

test("help of an alias is that of its command", async () => {
  const { code, out } = await runCli(["help", "ls"], {});
  expect([code, out]).toEqual([0, expect.stringContaining("Usage: feather models list")]);
});
