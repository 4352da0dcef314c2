import { describe, expect, test } from "vitest";
import { createMemoryLimiter } from "../platform/core/http/limiter.ts";
import { clientNetworkOf, createRateLimiter } from "../platform/core/http/rate-limits.ts";

const outcomes = async (spends: (() => Promise<void>)[]) => {
  const seen: string[] = [];
  for (const spend of spends)
    seen.push(
      await spend().then(
        () => "passed",
        (error: { code: string }) => error.code,
      ),
    );
  return seen;
};

describe("a client network", () => {
  test.each([
    [
      "an IPv4 address",
      ["203.0.113.7", "203.0.113.7:50123", " 203.0.113.7 ", "::ffff:203.0.113.7", "::FFFF:203.0.113.7"],
    ],
    [
      "a mapped address in other spellings",
      ["203.0.113.7", "::ffff:cb00:7107", "0:0:0:0:0:ffff:cb00:7107", "[::ffff:cb00:7107]:443"],
    ],
    [
      "the /64 of IPv6 that one person has",
      [
        "2001:db8:1:2::1",
        "2001:db8:1:2:ffff:ffff:ffff:ffff",
        "2001:0DB8:0001:0002::",
        "2001:db8:1:2:0:0:0:1",
        "[2001:db8:1:2::9]:8080",
        "2001:db8:1:2::1%eth0",
        "2001:db8:1:2:3:4:5.6.7.8",
      ],
    ],
    ["short forms of zeros", ["2001:db8::1", "2001:db8:0:0::2", "2001:db8::3:4:5:6", "2001:db8:0::7"]],
    ["this machine", ["::1", "0:0:0:0:0:0:0:1", "::"]],
    ["what cannot be read", ["unknown", "", "1.2.3.4.5", "2001:db8::1::2", "a".repeat(10_000)]],
  ])("a client network is the same for %s", (_what, spellings) => {
    expect(new Set(spellings.map(clientNetworkOf)).size).toBe(1);
  });

  test("a client network differs from other networks", () => {
    const places = ["203.0.113.7", "203.0.113.8", "2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db9:1:2::1", "::1", "x"];
    expect(new Set(places.map(clientNetworkOf)).size).toBe(places.length);
  });
});

describe("rate limits by address", () => {
  test("rate limits by address count a whole /64 as one client", async () => {
    const limits = createRateLimiter(true, createMemoryLimiter);
    const seen = await outcomes(
      Array.from({ length: 100 }, (_, index) => () => limits.consume("login", `2001:db8:7:7:${index.toString(16)}::1`)),
    );
    expect(seen.filter((outcome) => outcome === "passed")).toHaveLength(30);
    await expect(limits.consume("login", "2001:db8:7:8::1")).resolves.toBeUndefined();
  });

  test("rate limits by address count an IPv4 address and its mapped forms as one client", async () => {
    const limits = createRateLimiter(true, createMemoryLimiter);
    const forms = ["198.51.100.1", "::ffff:198.51.100.1", "::ffff:c633:6401"];
    const seen = await outcomes(
      Array.from({ length: 60 }, (_, index) => () => limits.consume("login", forms[index % 3] ?? "")),
    );
    expect(seen.filter((outcome) => outcome === "passed")).toHaveLength(30);
  });

  test("rate limits by address do not lock out the owner at another address", async () => {
    const limits = createRateLimiter(true, createMemoryLimiter);
    await outcomes(
      Array.from({ length: 40 }, () => () => limits.consume("login", "198.51.100.2", "owner@example.com")),
    );
    await expect(limits.consume("login", "198.51.100.3", "owner@example.com")).resolves.toBeUndefined();
  });

  test("rate limits apply to one account from one address before they apply to the address", async () => {
    const limits = createRateLimiter(true, createMemoryLimiter);
    const seen = await outcomes(
      Array.from({ length: 12 }, () => () => limits.consume("login", "198.51.100.4", "a@example.com")),
    );
    expect(seen).toEqual([...Array<string>(10).fill("passed"), "rate_limit_exceeded", "rate_limit_exceeded"]);
    await expect(limits.consume("login", "198.51.100.4", "b@example.com")).resolves.toBeUndefined();
  });

  test.each([
    ["login", 30],
    ["register", 20],
    ["verification", 30],
    ["reset", 20],
    ["code", 30],
  ] as const)("rate limits by address apply to %s separately", async (what, most) => {
    const limits = createRateLimiter(true, createMemoryLimiter);
    const seen = await outcomes(Array.from({ length: most + 1 }, () => () => limits.consume(what, "198.51.100.5")));
    expect(seen).toEqual([...Array<string>(most).fill("passed"), "rate_limit_exceeded"]);
    const other = what === "login" ? "reset" : "login";
    await expect(limits.consume(other, "198.51.100.5")).resolves.toBeUndefined();
  });

  test("rate limits by address return the seconds to wait", async () => {
    const limits = createRateLimiter(true, createMemoryLimiter);
    await outcomes(Array.from({ length: 20 }, () => () => limits.consume("register", "198.51.100.6")));
    await expect(limits.consume("register", "198.51.100.6")).rejects.toMatchObject({
      status: 429,
      headers: { "retry-after": "3600" },
    });
  });

  test("rate limits by address let everything pass when disabled", async () => {
    const limits = createRateLimiter(false, createMemoryLimiter);
    const seen = await outcomes(Array.from({ length: 100 }, () => () => limits.consume("login", "198.51.100.7")));
    expect(new Set(seen)).toEqual(new Set(["passed"]));
  });
});
