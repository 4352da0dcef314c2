import { describe, expect, test } from "vitest";
import { createRelyingParty } from "./relying-party.ts";

describe("the relying party", () => {
  test.each([
    ["https://feather.example", "feather.example", "https://feather.example"],
    ["https://feather.example:8443", "feather.example", "https://feather.example:8443"],
    ["http://localhost:4000", "localhost", "http://localhost:4000"],
    ["http://feather.localhost:4000", "feather.localhost", "http://feather.localhost:4000"],
  ])("the relying party has the domain and origin of %s", (url, id, origin) => {
    expect(createRelyingParty(url, "Feather")).toEqual({ id, origin, name: "Feather" });
  });

  test.each(["http://feather.example", "http://127.0.0.1:4000", "https://192.0.2.1", "https://[::1]:4000"])(
    "the relying party is null at %s, where browsers allow no passkeys",
    (url) => {
      expect(createRelyingParty(url, "Feather")).toBeNull();
    },
  );
});
