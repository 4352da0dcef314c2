import { expect, test } from "vitest";
import { buildSetting } from "#/testing/settings.ts";
import { filterSettings } from "./filter-settings.ts";

const setting = (name: string, value: string | null, is_default: boolean) =>
  buildSetting({ name, description: `What ${name} is for.`, value, is_secret: value === null, is_default });
const ALL = [setting("FEATHER_PORT", "4000", true), setting("FEATHER_SECRET", null, false)];

test.each<[string, boolean, string[]]>([
  ["", false, ["FEATHER_PORT", "FEATHER_SECRET"]],
  ["port", false, ["FEATHER_PORT"]],
  ["4000", false, ["FEATHER_PORT"]],
  ["is for", false, ["FEATHER_PORT", "FEATHER_SECRET"]],
  ["", true, ["FEATHER_SECRET"]],
  ["port", true, []],
  ["(", false, []],
])("finds settings by %j, only changed ones: %j", (search, changed, names) => {
  expect(filterSettings(ALL, search, changed).map(({ name }) => name)).toEqual(names);
});
