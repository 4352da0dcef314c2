import { describe, expect, test } from "vitest";
import { findChangedData, ownDataOf } from "./customer-data.ts";

const NONE = { name: null, email: null, address: null, postalCode: null, city: null, country: null };
const DETAILS = { ...NONE, vatId: "FR32123456789", buyerReference: "04011000-12345-03" };
const CONTACT = { userId: "usr_1", name: "Plume", email: "ada@example.com" };
const SEEN = {
  name: "Plume",
  email: "ada@example.com",
  address: "Quai 1\nHaus B",
  postalCode: "75001",
  city: "Paris",
  country: "FR",
};

describe("what the payment service is told of an organization", () => {
  test("is its contact where billing details are not set", () => {
    expect(ownDataOf(DETAILS, CONTACT)).toEqual({ ...NONE, name: "Plume", email: "ada@example.com" });
  });

  test("is its billing details where they are set, without VAT id and reference", () => {
    const details = { ...DETAILS, ...SEEN, name: "Plume GmbH", email: "accounting@example.com" };
    expect(ownDataOf(details, CONTACT)).toEqual({ ...SEEN, name: "Plume GmbH", email: "accounting@example.com" });
  });

  test("is nothing where there are neither", () => {
    expect(ownDataOf(DETAILS, null)).toEqual(NONE);
  });
});

describe("what was changed at the payment service", () => {
  test("is nothing while it is as it was seen, whatever was changed here", () => {
    expect(findChangedData(SEEN, SEEN, { ...SEEN, name: "Here", city: null, country: "DE" })).toBeNull();
  });

  test.each([
    ["name", "Brise"],
    ["email", "new@example.com"],
    ["address", "Weg 3\nHof"],
    ["postalCode", "10115"],
    ["city", "Berlin"],
    ["country", "DE"],
    ["city", null],
  ])("is the field %s alone, with the value %s", (field, value) => {
    expect(findChangedData({ ...SEEN, [field]: value }, SEEN, SEEN)).toEqual({ [field]: value });
  });

  test("is nothing where it is as here already", () => {
    const found = { ...SEEN, name: "Brise", city: "Lyon" };
    expect(findChangedData(found, SEEN, found)).toBeNull();
  });

  test("is only what differs from both", () => {
    const found = { ...SEEN, name: "Brise", city: "Lyon" };
    expect(findChangedData(found, SEEN, { ...SEEN, city: "Lyon", country: "DE" })).toEqual({ name: "Brise" });
  });

  test("is no address that was only broken into other lines", () => {
    const own = { ...SEEN, address: "Quai 1\nHaus B\nHof 2" };
    expect(findChangedData({ ...SEEN, address: "Quai 1\nHaus B, Hof 2" }, SEEN, own)).toBeNull();
  });

  test.each([
    ["a name with characters that cannot be seen", { name: "Ac\u200bme" }],
    ["a name of more than 200 characters", { name: "x".repeat(201) }],
    ["an address with a tab", { address: "Quai 2\tHaus B" }],
    ["a postal code of more than 20 characters", { postalCode: "1".repeat(21) }],
    ["a city of more than 100 characters", { city: "x".repeat(101) }],
    ["a country that is no code", { country: "France" }],
    ["an e-mail address that is none", { email: "nobody" }],
  ])("is not valid with %s, and then nothing of it is taken", (_, change) => {
    expect(findChangedData({ ...SEEN, postalCode: "69001", ...change }, SEEN, SEEN)).toBe("not valid");
  });
});
