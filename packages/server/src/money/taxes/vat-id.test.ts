import { describe, expect, test } from "vitest";
import { parseVatId } from "./vat-id.ts";

/** Ids that the countries or their VAT authorities give as examples, and for those with check digits one with a wrong digit. */
const VALID = [
  ["AT", "ATU13585627"],
  ["BE", "BE0428759497"],
  ["BG", "BG175074752"],
  ["CH", "CHE107787577"],
  ["CH", "CHE107787577MWST"],
  ["CY", "CY10259033P"],
  ["CZ", "CZ25123891"],
  ["DE", "DE136695976"],
  ["DK", "DK13585628"],
  ["EE", "EE100931558"],
  ["ES", "ESB58378431"],
  ["FI", "FI20774740"],
  ["FR", "FR40303265045"],
  ["FR", "FRK7399859412"],
  ["GB", "GB980780684"],
  ["GB", "XI980780684"],
  ["GR", "EL094259216"],
  ["HR", "HR33392005961"],
  ["HU", "HU12892312"],
  ["IE", "IE6433435F"],
  ["IE", "IE6433435OA"],
  ["IT", "IT00743110157"],
  ["LT", "LT119511515"],
  ["LU", "LU15027442"],
  ["LV", "LV40003521600"],
  ["MT", "MT11679112"],
  ["NL", "NL004495445B01"],
  ["NO", "NO995525828MVA"],
  ["PL", "PL8567346215"],
  ["PT", "PT501964843"],
  ["RO", "RO18547290"],
  ["SE", "SE123456789701"],
  ["SI", "SI50223054"],
  ["SK", "SK2022749619"],
] as const;

describe("parseVatId", () => {
  test.each(VALID)("parseVatId accepts %s: %s", (country, vatId) => {
    expect(parseVatId(vatId, country)).toEqual({ vatId });
  });

  test("parseVatId returns the usual form of an id that was written with spaces, dots, hyphens and small letters", () => {
    expect(parseVatId(" che-107.787.577 mwst", "CH")).toEqual({ vatId: "CHE107787577MWST" });
    expect(parseVatId("be 0428.759.497", "BE")).toEqual({ vatId: "BE0428759497" });
  });

  test.each(VALID)("parseVatId rejects %s: %s with a character more, or without its prefix", (country, vatId) => {
    expect(parseVatId(`${vatId}#`, country)).toHaveProperty("problem");
    expect(parseVatId(`${vatId}00000000`, country)).toHaveProperty("problem");
    expect(parseVatId(vatId.slice(2), country)).toHaveProperty("problem");
  });

  test.each(["BE", "CH", "DE", "DK", "FI", "FR", "IT", "LU", "NO"])(
    "parseVatId rejects each id of %s that differs in one digit",
    (country) => {
      const [, vatId = ""] = VALID.find(([code]) => code === country) ?? [];
      for (const [index, character] of [...vatId].entries()) {
        if (!/\d/.test(character)) continue;
        const wrong = `${vatId.slice(0, index)}${(Number(character) + 1) % 10}${vatId.slice(index + 1)}`;
        expect([wrong, parseVatId(wrong, country)]).toEqual([
          wrong,
          expect.objectContaining({ problem: expect.any(String) }),
        ]);
      }
    },
  );

  test("parseVatId rejects an id of another country, and accepts plain ids of countries without a rule", () => {
    expect(parseVatId("DE136695976", "FR")).toEqual({ problem: "must begin with FR, as those of FR do" });
    expect(parseVatId("GR094259216", "GR")).toEqual({ problem: "must begin with EL, as those of GR do" });
    expect(parseVatId("12-3456789", "US")).toEqual({ vatId: "123456789" });
    expect(parseVatId("<b>", "US")).toEqual({ problem: "must be 4 to 20 letters and digits" });
  });
});
