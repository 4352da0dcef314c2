import { describe, expect, test } from "vitest";
import { hasWebAddress, publicNameFault } from "./public-names.ts";

describe("publicNameFault", () => {
  test.each(["Roost", "Winter & Sons", "L'Élan", "Чайка", "羽根", "Light as a kite", "Plumage 3"])(
    "lets %s through",
    (name) => {
      expect(publicNameFault(name, "Aviary")).toBeNull();
    },
  );

  test.each([
    "Feather CLI",
    "feather",
    "FEATHERS",
    "The Feather Team",
    "F\u0435ather",
    "Ｆｅａｔｈｅｒ",
    "Aviary support",
    "Aviary-Login",
    "Official client",
    "The official one",
    "Ro\u200bost",
    "Ro\u202eost",
  ])("refuses %j", (name) => {
    expect(publicNameFault(name, "Aviary")).not.toBeNull();
  });
});

describe("hasWebAddress", () => {
  test.each(["Security http://evil.example/login", "www.evil", "evil.example", "See evil.example now"])(
    "finds one in %j",
    (name) => {
      expect(hasWebAddress(name)).toBe(true);
    },
  );

  test.each(["Winter & Sons Ltd.", "A. B. Winter", "No. 7", "v2.0"])("finds none in %j", (name) => {
    expect(hasWebAddress(name)).toBe(false);
  });
});
