import { expect, test } from "vitest";
import { decideTax } from "./tax-treatment.ts";
import { UNCHECKED } from "./vat-id-checks.repository.ts";

const seller = { name: "Plume", address: "Quai 1", country: "FR", vat_id: "FR32123456789" };

test.each([
  ["a business in another member state", seller, "DE", "DE136695976"],
  ["a business in Greece, whose VAT ids begin with EL", seller, "GR", "EL094259216"],
])("tax of %s is owed by the buyer", (_who, from, country, vatId) => {
  expect(decideTax({ taxPercent: 20, seller: from, vies: false }, { country, vatId }, UNCHECKED)).toEqual({
    percent: 0,
    isReverseCharge: true,
  });
});

test.each([
  ["a buyer without details", seller, null, null],
  ["a buyer in another member state without a VAT id", seller, "DE", null],
  ["a business in the seller's country", seller, "FR", "FR40303265045"],
  ["a business outside of the EU", seller, "CH", "CHE107787577"],
  ["a business in Northern Ireland, which is in the EU for goods alone", seller, "GB", "XI980780684"],
  [
    "a business in the EU where the seller is not",
    { ...seller, country: "CH", vat_id: "CHE107787577" },
    "DE",
    "DE136695976",
  ],
  ["a business in the EU where the seller has no VAT id", { ...seller, vat_id: undefined }, "DE", "DE136695976"],
  ["a business in the EU where the seller is not known", undefined, "DE", "DE136695976"],
])("tax of %s is the operator's rate", (_who, from, country, vatId) => {
  expect(decideTax({ taxPercent: 20, seller: from, vies: false }, { country, vatId }, UNCHECKED)).toEqual({
    percent: 20,
    isReverseCharge: false,
  });
});

test.each([
  ["unchecked", false],
  ["checking", false],
  ["valid", true],
  ["invalid", false],
  ["unavailable", false],
] as const)("where VIES is asked, the buyer owes the tax with an id in the state %s: %s", (state, isReverseCharge) => {
  const settings = { taxPercent: 20, seller, vies: true };
  const buyer = { country: "DE", vatId: "DE136695976" };
  expect(decideTax(settings, buyer, { state })).toEqual({ percent: isReverseCharge ? 0 : 20, isReverseCharge });
});
