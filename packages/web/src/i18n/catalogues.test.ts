// @vitest-environment node
import { expect, test } from "vitest";
import { CATALOGUE_LOCALES, loadMessages } from "./catalogues.ts";
import { TRANSLATED_LOCALES } from "./locale.ts";

test("the languages that can be chosen are those that have a catalogue", () => {
  expect([...CATALOGUE_LOCALES].sort()).toEqual([...TRANSLATED_LOCALES].sort());
});

test("a catalogue is loaded by its language, and an unknown language has none", async () => {
  expect(Object.keys(await loadMessages("de")).length).toBeGreaterThan(1000);
  await expect(loadMessages("xx")).rejects.toThrow("There is no catalogue for xx.");
});

test("the page that the server sends is hidden for the languages that have a catalogue", async () => {
  const [script = ""] = Object.values(
    import.meta.glob<string>("../../public/first-paint.js", { query: "?raw", import: "default", eager: true }),
  );
  const [, pattern = ""] = /ours = \/(.+)\/i;/.exec(script) ?? [];
  const ours = new RegExp(pattern, "i");
  const hidden = ["en", ...TRANSLATED_LOCALES.filter((locale) => locale !== "pseudo"), "de-AT", "zh-CN", "zh"];
  const shown = ["it", "nl-NL", "zh-TW", "zh-Hant", "zh-HK", "pseudo", ""];
  expect([hidden.filter((locale) => !ours.test(locale)), shown.filter((locale) => ours.test(locale))]).toEqual([
    [],
    [],
  ]);
});
