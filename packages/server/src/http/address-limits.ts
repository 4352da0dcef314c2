import { isIPv6 } from "node:net";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "../shared/errors.ts";

/** What is limited, how often within how many seconds: by address, and by account where somebody guesses at one. */
const LIMITS = {
  login: { points: 30, duration: 600, perAccount: 10 },
  register: { points: 20, duration: 3600, perAccount: undefined },
  verification: { points: 30, duration: 600, perAccount: undefined },
  reset: { points: 20, duration: 3600, perAccount: 5 },
} as const;

export type Limited = keyof typeof LIMITS;

export type AddressLimits = { spend(what: Limited, ip: string, account?: string): Promise<void> };

/** Slows down those who guess. Switched off it lets everything pass, for load tests. */
export function createAddressLimits(enabled: boolean): AddressLimits {
  const limiters = new Map(
    Object.entries(LIMITS).map(([what, { points, duration, perAccount }]) => [
      what,
      {
        byAddress: new RateLimiterMemory({ points, duration }),
        byAccount: perAccount === undefined ? undefined : new RateLimiterMemory({ points: perAccount, duration }),
      },
    ]),
  );
  return {
    async spend(what, ip, account) {
      if (!enabled) return;
      try {
        const limit = limiters.get(what);
        await limit?.byAddress.consume(network(ip));
        // With the address in it, so that a stranger cannot lock the owner out.
        if (account !== undefined) await limit?.byAccount?.consume(`${network(ip)} ${account}`);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw tooMany(Math.ceil(refusal.msBeforeNext / 1000));
        throw refusal;
      }
    },
  };
}

function tooMany(seconds: number): AppError {
  return new AppError(429, "rate_limit_exceeded", `Too many attempts. Try again in ${seconds} seconds.`, {
    headers: { "retry-after": String(seconds) },
  });
}

/** One person has a whole /64 of IPv6, so that is what counts; mapped addresses count as IPv4. */
function network(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(ip)) return ip;
  const [head = "", tail] = ip.split("::");
  const groups = head.split(":").filter(Boolean);
  const end = tail?.split(":").filter(Boolean) ?? [];
  const full =
    tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length - end.length).fill("0"), ...end];
  return full
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
