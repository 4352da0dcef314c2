import { expect, test } from "vitest";
import { wrapCommand } from "./wrap.ts";

test.each([
  ["feather keys list", 40, "feather keys list"],
  ["feather keys create bot --models feather/demo", 30, "feather keys create bot \\\n  --models feather/demo"],
  ['feather chat "a text of words" --raw', 24, 'feather chat \\\n  "a text of words" \\\n  --raw'],
  ["A='x y' feather", 10, "A='x y' \\\n  feather"],
])("a command line is broken between words only, so that a shell reads it as one: %s", (command, width, lines) => {
  expect(wrapCommand(command, width, "  ")).toBe(lines);
});
