import { expect, test } from "vitest";
import { formatPageCommand } from "./next-page.ts";

test.each([
  ["models list --limit 8", "--page 2", "feather models list --limit 8 --page 2"],
  ["models list --page 2 --limit 8", "--page 3", "feather models list --limit 8 --page 3"],
  ["models list --page=2 --warm", "--page 3", "feather models list --warm --page 3"],
  ["models list --limit 500 --warm", "--all", "feather models list --warm --all"],
  ["--profile work keys list", "--page 2", "feather --profile work keys list --page 2"],
  ["models search -- coder", "--page 2", "feather models search --page 2 -- coder"],
])("%s with %s is %s", (line, flags, command) => {
  expect(formatPageCommand(line.split(" "), flags)).toBe(command);
});

test("quotes what a shell would interpret", () => {
  expect(formatPageCommand(["models", "list", "--search", "it's $HOME", ""], "--page 2")).toBe(
    `feather models list --search 'it'\\''s $HOME' '' --page 2`,
  );
});
