import { expect, test } from "vitest";
import { buildSetting } from "#/testing/settings.ts";
import { initialValueOf, toChanges } from "./draft.ts";

const saved = {
  is_set: true,
  previous_value: null,
  needs_restart: false,
  saved_at: new Date("2026-11-30T09:00:00Z"),
  saved_by: null,
};
const name = buildSetting({ name: "NAME", default_value: "Feather", saved: { ...saved, value: "Acme" } });
const limit = buildSetting({ name: "LIMIT", default_value: "8" });
const secret = buildSetting({ name: "SECRET", is_secret: true, saved: { ...saved, value: null } });

test("a field shows what is saved, otherwise the default, and no secret", () => {
  expect([name, limit, secret].map(initialValueOf)).toEqual(["Acme", "8", ""]);
  const removed = { ...saved, is_set: false, value: null };
  expect(initialValueOf({ ...name, saved: removed })).toBe("Feather");
});

test("only what differs is saved, and an emptied field removes what was saved", () => {
  const settings = [name, limit, secret];
  expect(toChanges(settings, {})).toEqual({});
  expect(toChanges(settings, { NAME: "Acme", LIMIT: " 9 ", SECRET: "" })).toEqual({ LIMIT: "9" });
  expect(toChanges(settings, { NAME: "", SECRET: "s3cret" })).toEqual({ NAME: null, SECRET: "s3cret" });
});
