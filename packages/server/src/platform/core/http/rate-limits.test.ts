import { describe, expect, test } from "vitest";
import { createMemoryLimiter, type LimiterOptions } from "./limiter.ts";
import { clientNetworkOf, createRateLimiter, isRateLimitName, tooManyAttempts } from "./rate-limits.ts";

const ADDRESS = "203.0.113.7";

/** Creates rate limits, and records which keys they count. */
function createLimits({ enabled = true } = {}) {
  const counted: string[] = [];
  const limiter = createRateLimiter(enabled, (options: LimiterOptions) => {
    const limit = createMemoryLimiter(options);
    return {
      consume(key) {
        counted.push(`${options.name}: ${key}`);
        return limit.consume(key);
      },
    };
  });
  /** Sends this many requests, and returns how many of them were allowed. */
  const send = async (count: number, ...input: Parameters<typeof limiter.consume>) => {
    let allowed = 0;
    for (let at = 0; at < count; at++)
      await limiter.consume(...input).then(
        () => {
          allowed += 1;
        },
        () => {},
      );
    return allowed;
  };
  return { limiter, counted, send };
}

describe("the limits by address and account", () => {
  test("an address may sign in 30 times, and an account 10 times from there", async () => {
    const { send } = createLimits();
    expect(await send(12, "login", ADDRESS, "ada@example.com")).toBe(10);
    expect(await send(12, "login", ADDRESS, "bob@example.com")).toBe(10);
    // Refused attempts count for the address, too.
    expect(await send(12, "login", ADDRESS, "eve@example.com")).toBe(6);
  });

  test("attackers at another address do not lock the owner of an account out", async () => {
    const { send } = createLimits();
    await send(40, "login", ADDRESS, "ada@example.com");
    expect(await send(1, "login", "203.0.113.8", "ada@example.com")).toBe(1);
  });

  test("a limit without accounts counts the address only", async () => {
    const { send, counted } = createLimits();
    await send(1, "register", ADDRESS, "ada@example.com");
    expect(counted).toEqual([`register by address: ${ADDRESS}`]);
  });

  test("limits do not count for one another", async () => {
    const { send } = createLimits();
    await send(40, "login", ADDRESS);
    expect(await send(1, "reset", ADDRESS)).toBe(1);
  });

  test("a refused request says when the next one is allowed", async () => {
    const { limiter, send } = createLimits();
    await send(30, "login", ADDRESS);
    const refusal = await limiter.consume("login", ADDRESS).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    const { "retry-after": seconds } = (refusal as { headers: Record<string, string> }).headers;
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(600);
  });

  test("disabled limits count nothing", async () => {
    const { send, counted } = createLimits({ enabled: false });
    expect(await send(100, "login", ADDRESS, "ada@example.com")).toBe(100);
    expect(counted).toEqual([]);
  });
});

test("the error for too many attempts has the seconds in its text and its header", () => {
  expect(tooManyAttempts(5)).toMatchObject({
    message: "Too many attempts. Try again in 5 seconds.",
    headers: { "retry-after": "5" },
  });
});

test.each([
  ["login", true],
  ["podFiles", true],
  ["toString", false],
  ["", false],
])("whether %j names a limit: %s", (name, isName) => expect(isRateLimitName(name)).toBe(isName));

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:4711", "203.0.113.7"],
  [" 203.0.113.7 ", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["[::ffff:203.0.113.7]:4711", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8:1:2::", "2001:db8:1:2"],
  ["[2001:DB8:1:2::9]", "2001:db8:1:2"],
  ["[2001:db8:1:2::9]:4711", "2001:db8:1:2"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["", "unreadable"],
  ["example.com", "unreadable"],
  ["203.0.113.7, 10.0.0.1", "unreadable"],
])("the client at %j counts as %s", (ip, network) => expect(clientNetworkOf(ip)).toBe(network));
