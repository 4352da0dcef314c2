import { describe, expect, test } from "vitest";
import { findChangedParts, ownDataOf } from "./customer-data.ts";

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
    expect(findChangedParts(SEEN, SEEN, { ...SEEN, name: "Here", city: null, country: "DE" }, {})).toEqual([]);
  });

  test.each([
    ["name", "name", "Brise"],
    ["email", "email", "new@example.com"],
    ["address", "address", "Weg 3\nHof"],
    ["address", "postalCode", "10115"],
    ["address", "city", "Berlin"],
    ["address", "country", "DE"],
    ["address", "city", null],
  ])("is of the part %s the field %s alone, with the value %s", (part, field, value) => {
    const change = { [field]: value };
    expect(findChangedParts({ ...SEEN, ...change }, SEEN, SEEN, {})).toEqual([{ part, change }]);
  });

  test("is a part without a field where it is as here already", () => {
    const found = { ...SEEN, name: "Brise", city: "Lyon" };
    expect(findChangedParts(found, SEEN, found, {})).toEqual([
      { part: "name", change: {} },
      { part: "address", change: {} },
    ]);
  });

  test("is only what differs from both", () => {
    const found = { ...SEEN, name: "Brise", city: "Lyon" };
    expect(findChangedParts(found, SEEN, { ...SEEN, city: "Lyon", country: "DE" }, {})).toEqual([
      { part: "name", change: { name: "Brise" } },
      { part: "address", change: {} },
    ]);
  });

  test("is all that differs from here of a part that was refused before and changed again", () => {
    const seen = { ...SEEN, city: "Berlin", country: "DE" };
    const found = { ...seen, postalCode: "10115" };
    expect(findChangedParts(found, seen, SEEN, { address: "why" })).toEqual([
      { part: "address", change: { postalCode: "10115", city: "Berlin", country: "DE" } },
    ]);
    expect(findChangedParts(seen, seen, SEEN, { address: "why" })).toEqual([]);
  });

  test("is no address that was only broken into other lines", () => {
    const own = { ...SEEN, address: "Quai 1\nHaus B\nHof 2" };
    expect(findChangedParts({ ...SEEN, address: "Quai 1\nHaus B, Hof 2" }, SEEN, own, {})).toEqual([
      { part: "address", change: {} },
    ]);
  });

  test.each([
    ["a name with characters that cannot be seen", "name", { name: "Ac\u200bme" }, "it is"],
    ["a name of more than 200 characters", "name", { name: "x".repeat(201) }, "it is"],
    ["an address with a tab", "address", { address: "Quai 2\tHaus B" }, "it is"],
    ["a postal code of more than 20 characters", "address", { postalCode: "1".repeat(21) }, "its postal code is"],
    ["a city of more than 100 characters", "address", { city: "x".repeat(101) }, "its city is"],
    ["a country that is no code", "address", { country: "France" }, "its country is"],
    ["an e-mail address that is none", "email", { email: "nobody" }, "it is"],
  ])("has a problem with %s, and other parts have none", (_, part, change, subject) => {
    const problem = `${subject} too long, or has not the form that is needed`;
    const other = part === "name" ? { email: "new@example.com" } : { name: "Brise" };
    const parts = findChangedParts({ ...SEEN, ...change, ...other }, SEEN, SEEN, {});
    expect(parts).toHaveLength(2);
    expect(parts).toContainEqual({ part, problem });
    expect(parts).toContainEqual({ part: Object.keys(other)[0], change: other });
  });
});
