import { expect, test } from "vitest";
import { type ScreensAction, type ScreensState, screensReducer, showsBanner, showsButton } from "./screens-state.ts";

test.each<[ScreensState["dialog"], ScreensAction["type"], ScreensState["dialog"]]>([
  ["closed", "open", "summary"],
  ["closed", "details", "closed"],
  ["closed", "back", "closed"],
  ["closed", "close", "closed"],
  ["summary", "details", "detailed"],
  ["summary", "close", "closed"],
  ["detailed", "back", "summary"],
  ["detailed", "close", "closed"],
])("the dialog %s changes with %s to %s", (before, type, after) => {
  expect(screensReducer({ dialog: before }, { type })).toEqual({ dialog: after });
});

test.each<[ScreensState["dialog"], boolean, boolean]>([
  ["closed", false, true],
  ["closed", true, false],
  ["summary", false, false],
  ["detailed", true, false],
])("with the dialog %s and accepted %s the banner is shown: %s", (dialog, accepted, shown) => {
  expect(showsBanner({ dialog }, accepted)).toBe(shown);
});

test.each<[boolean, string, boolean]>([
  [true, "/", true],
  [true, "/models", true],
  [true, "/cookie-policy", false],
  [true, "/cookie-policy/", false],
  [true, "/Cookie-Policy", false],
  [false, "/", false],
])("with accepted %s at %s the floating button is shown: %s", (accepted, path, shown) => {
  expect(showsButton({ dialog: "closed" }, accepted, path)).toBe(shown);
});
