import { expect, test } from "vitest";
import {
  chosenTools,
  isApproved,
  isOfferable,
  MAX_CHOSEN_TOOLS,
  toChatTool,
  withApprovedTools,
  withChosenTools,
} from "./chosen-tools.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import { settingsSchema } from "./settings-schema.ts";

const tool = (name: string, fingerprint = "f1") => ({
  ...{ name, fingerprint, server: "docs", title: null, description: "Searches." },
  input_schema: { type: "object" },
  output_schema: null,
  annotations: null,
});

test("a new conversation uses no tools of servers", () => {
  expect(chosenTools(DEFAULT_SETTINGS)).toEqual([]);
  expect(chosenTools(withChosenTools(DEFAULT_SETTINGS, ["docs__a", "docs__b"]))).toEqual(["docs__a", "docs__b"]);
});

test("a conversation uses no more tools than most models have room for", () => {
  const names = Array.from({ length: MAX_CHOSEN_TOOLS + 1 }, (_, index) => `docs__${index}`);
  expect(chosenTools(withChosenTools(DEFAULT_SETTINGS, names))).toHaveLength(MAX_CHOSEN_TOOLS);
});

test("a tool that is always allowed is asked for anew once its description has changed", () => {
  const first = withApprovedTools(DEFAULT_SETTINGS, [tool("docs__a"), tool("docs__b")]);
  expect(isApproved(first, tool("docs__a"))).toBe(true);
  expect(isApproved(first, tool("docs__a", "f2"))).toBe(false);
  const second = withApprovedTools(first, [tool("docs__a", "f2")]);
  expect([isApproved(second, tool("docs__a", "f2")), isApproved(second, tool("docs__b"))]).toEqual([true, true]);
  expect(isApproved(second, tool("docs__a"))).toBe(false);
});

test("a chat from a file names tools, and allows none of them", () => {
  const settings = { mcp_tools: "docs__a", approved_tools: "docs__a f1" };
  expect(settingsSchema.parse(settings)).toMatchObject({ mcp_tools: "docs__a", approved_tools: "" });
});

test("only tools whose names models accept are offered to them", () => {
  expect(["docs__a-b", "docs__a.b", `docs__${"a".repeat(60)}`].map((name) => isOfferable({ name }))).toEqual([
    true,
    false,
    false,
  ]);
});

test("a tool is described to models by its description, or else by its title", () => {
  expect(toChatTool(tool("docs__a"))).toEqual({
    type: "function",
    function: { name: "docs__a", description: "Searches.", parameters: { type: "object" } },
  });
  expect(toChatTool({ ...tool("docs__a"), title: "Search", description: null }).function.description).toBe("Search");
});
