import { expect, test } from "vitest";
import { matchLanguage, toLanguage } from "./languages.ts";

test.each([
  ["de", "de"],
  ["de-AT,de;q=0.9,en;q=0.8", "de"],
  ["en-GB", "en"],
  ["nl,fr;q=0.5", "fr"],
  ["fr;q=0.5,ja;q=0.9", "ja"],
  ["FR-ca", "fr"],
  ["es-419", "es"],
  ["zh-CN", "zh-Hans"],
  ["zh", "zh-Hans"],
  ["zh-Hans-SG;q=0.7, en;q=0.3", "zh-Hans"],
])("%s is answered in %s", (header, language) => {
  expect(matchLanguage(header)).toBe(language);
});

test.each([
  ["no header", undefined],
  ["an empty header", ""],
  ["any language", "*"],
  ["a language that is not there", "nl"],
  ["Chinese in traditional script", "zh-TW"],
  ["a language that is refused", "de;q=0"],
  ["a quality that is no number", "de;q=high"],
  ["what is no tag", "d_e, ;;, =, <script>"],
])("%s matches no language", (_case, header) => {
  expect(matchLanguage(header)).toBeNull();
});

test("only the first twenty languages of a header are read", () => {
  const others = Array.from({ length: 20 }, () => "nl").join(",");
  expect(matchLanguage(`${others},de`)).toBeNull();
  expect(matchLanguage(`de,${others}`)).toBe("de");
});

test("a tag is a language only as it is written", () => {
  expect(["en", "zh-Hans", "zh", "DE", "constructor"].map(toLanguage)).toEqual(["en", "zh-Hans", null, null, null]);
});
