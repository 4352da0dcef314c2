import { expect, test } from "vitest";
import { directionOf, matchLocale } from "./locale.ts";

test.each([
  ["the choice, before what the browser asks for", "de", ["fr"], "de"],
  ["a choice that is no more is none", "xx", ["fr"], "fr"],
  ["the first of the browser's that there is", null, ["it", "fr-CA", "de"], "fr"],
  ["English, where it is asked for before others", null, ["en-US", "de"], "en"],
  ["a language of a region where there is one", null, ["pt-BR"], "pt-BR"],
  ["Chinese in the script of the region", null, ["zh-CN", "de"], "zh-Hans"],
  ["no Chinese where it is written otherwise", null, ["zh-TW", "de"], "de"],
  ["English, where there is none of them", null, ["it"], "en"],
  ["English, where what the browser asks for is no language", null, ["C", "*"], "en"],
])("%s", (_, chosen, requested, expected) => {
  expect(matchLocale(chosen, requested, ["de", "fr", "pt-BR", "zh-Hans"])).toBe(expected);
});

test.each([
  ["en", "ltr"],
  ["ar", "rtl"],
  ["he-IL", "rtl"],
])("%s is written %s", (locale, direction) => {
  expect(directionOf(locale)).toBe(direction);
});
