import { describe, expect, test } from "vitest";
import { findPublicNameProblem, hasWebAddress } from "./public-names.ts";

describe("findPublicNameProblem", () => {
  test.each(["Roost", "Winter & Sons", "L'Élan", "Чайка", "羽根", "Light as a kite", "Plumage 3"])(
    "findPublicNameProblem accepts %s",
    (name) => {
      expect(findPublicNameProblem(name, "Aviary")).toBeNull();
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
  ])("findPublicNameProblem rejects %j", (name) => {
    expect(findPublicNameProblem(name, "Aviary")).not.toBeNull();
  });
});

describe("hasWebAddress", () => {
  test.each(["Security http://evil.example/login", "www.evil", "evil.example", "See evil.example now"])(
    "hasWebAddress finds an address in %j",
    (name) => {
      expect(hasWebAddress(name)).toBe(true);
    },
  );

  test.each(["Winter & Sons Ltd.", "A. B. Winter", "No. 7", "v2.0"])("hasWebAddress finds no address in %j", (name) => {
    expect(hasWebAddress(name)).toBe(false);
  });
});
