import { expect, test } from "vitest";
import { buildSetting } from "#/testing/settings.ts";
import { labelOf, toGroups } from "./groups.ts";

test("settings are grouped in the order in which people look for them, what cannot be saved apart", () => {
  const groups = toGroups([
    buildSetting({ name: "FEATHER_PORT", group: "server", is_editable: false }),
    buildSetting({ name: "LATER", group: "somethingNew" }),
    buildSetting({ name: "FEATHER_PUBLIC_URL", group: "server" }),
    buildSetting({ name: "FEATHER_PRODUCT_NAME", group: "site" }),
  ]);
  const names = groups.map(({ id, editable, fixed }) => [id, editable.map(({ name }) => name), fixed.length]);
  expect(names).toEqual([
    ["site", ["FEATHER_PRODUCT_NAME"], 0],
    ["server", ["FEATHER_PUBLIC_URL"], 1],
    ["somethingNew", ["LATER"], 0],
  ]);
});

test("a label is the name in words", () => {
  expect(
    ["FEATHER_PRODUCT_NAME", "SMTP_URL", "HF_TOKEN", "FEATHER_AWS_MARKETPLACE_ACCESS_KEY_ID"].map(labelOf),
  ).toEqual(["Product name", "SMTP URL", "Hf token", "AWS marketplace access key ID"]);
});
