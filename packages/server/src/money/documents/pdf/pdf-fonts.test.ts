import { expect, test } from "vitest";
import { AVAILABLE_CURRENCIES, formatMoney, nameCurrency } from "../../currencies/index.ts";
import { loadFonts, toDrawable } from "./pdf-fonts.ts";

test("the font of documents has the signs of all currencies", async () => {
  const { regular } = await loadFonts();
  const texts = AVAILABLE_CURRENCIES.flatMap((code) => [formatMoney(-123_450, code), nameCurrency(code)]);
  expect(texts.filter((text) => toDrawable(text, regular).actual !== null)).toEqual([]);
});

test("what the font lacks is drawn as question marks, and the whole text is kept", async () => {
  const { regular } = await loadFonts();
  expect(toDrawable("東京 Ltd", regular)).toEqual({ text: "?? Ltd", actual: "東京 Ltd" });
});
