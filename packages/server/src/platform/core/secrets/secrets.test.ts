import { fc } from "@feather/testing/properties";
import { describe, expect, test } from "vitest";
import { createSecret, hashSecret, parseSecretKind, type SecretKind } from "./secrets.ts";

const KINDS: SecretKind[] = ["rc", "ses", "one", "oat", "ort", "oac", "odc", "dpt"];

describe("secrets", () => {
  test("secrets have a kind and a checksum for any bytes", () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), bytes, (kind, random) => {
        const secret = createSecret(kind, () => random);
        expect(secret).toMatch(/^(rc|ses|one|oat|ort|oac|odc|dpt)_[0-9A-Za-z]{49}$/);
        expect(parseSecretKind(secret)).toBe(kind);
      }),
      {
        seed: 1,
        examples: [
          ["rc", new Uint8Array(32)],
          ["ses", new Uint8Array(32).fill(255)],
        ],
      },
    );
  });

  test("secrets are rejected when one character differs", () => {
    const secret = createSecret("rc", () => new Uint8Array(32).fill(7));
    for (let at = 0; at < secret.length; at++) {
      const other = secret[at] === "A" ? "B" : "A";
      expect(parseSecretKind(secret.slice(0, at) + other + secret.slice(at + 1))).toBeNull();
    }
  });

  test("secrets are rejected with the prefix of another kind", () => {
    expect(parseSecretKind(createSecret("ses").replace("ses_", "rc_"))).toBeNull();
  });

  const good = createSecret("rc", () => new Uint8Array(32).fill(9));
  test.each([
    ["nothing", ""],
    ["a prefix alone", "rc_"],
    ["a short one", good.slice(0, -1)],
    ["a long one", `${good}0`],
    ["a line break behind", `${good}\n`],
    ["a space in front", ` ${good}`],
    ["NUL behind", `${good}\0`],
    ["an SQL fragment", "' OR 1=1 --"],
    ["a megabyte", "A".repeat(1_000_000)],
    ["a key of another service", "sk-0123456789abcdefghijklmnopqrstuvwxyz"],
  ])("parseSecretKind rejects %s", (_what, text) => {
    expect(parseSecretKind(text)).toBeNull();
  });

  test("secrets are made of 32 random bytes and differ", () => {
    const requests: number[] = [];
    createSecret("rc", (size) => {
      requests.push(size);
      return new Uint8Array(size);
    });
    expect(requests).toEqual([32]);
    expect(createSecret("rc")).not.toBe(createSecret("rc"));
  });

  test("secrets are hashed with SHA-256", () => {
    expect(hashSecret("abc").toString("hex")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
