import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { SignedIn } from "../../http/actor.ts";
import { placeOf } from "../../http/address-limits.ts";
import type { Act, Audit } from "../audit/audit.ts";

/** How a user signed in. */
export type SignInMethod = "password" | "second_factor" | "passkey" | "link" | "provider" | "registration" | "setup";
/** Why a sign-in failed. */
export type SignInFailure = "wrong_credentials" | "wrong_code" | "wrong_passkey" | "passkey_counter" | "suspended";
/** Why a reauthentication failed. */
export type ReauthenticationFailure = "wrong_password" | "wrong_code";
type Attempt = { userId: string | null; email: string | null; ip: string; reason: SignInFailure };

/** Maximum of failures recorded in ten minutes: per address and account, and overall. */
const MOST = { each: 5, all: 200 };
const WINDOW_S = 600;

/**
 * Creates the log of sign-ins in the audit log. Anybody can cause any number of failures, so their rows are limited: those
 * above the limits are only counted, and the count is stored with the next row.
 */
export function createSignInLog(audit: Audit, most = MOST) {
  const each = new RateLimiterMemory({ points: most.each, duration: WINDOW_S });
  const all = new RateLimiterMemory({ points: most.all, duration: WINDOW_S });
  let leftOut = 0;

  /** Records a failure within the limits, with the number of failures that were skipped before it. */
  async function recordFailure(key: string, act: Act): Promise<void> {
    if (!(await hasRoom(key))) {
      leftOut += 1;
      return;
    }
    const counted = leftOut;
    leftOut = 0;
    await audit.record({ ...act, details: { ...act.details, ...(counted > 0 && { failures_left_out: counted }) } });
  }

  async function hasRoom(key: string): Promise<boolean> {
    try {
      await each.consume(key);
      await all.consume("all");
      return true;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return false;
      throw refusal;
    }
  }

  return {
    cameIn: (
      who: { userId: string; organizationId: string | null },
      session: string,
      ip: string,
      method: SignInMethod,
    ) => audit.record({ action: "auth.login", ...who, target: session, ip, details: { method } }),

    async failed({ userId, email, ip, reason }: Attempt): Promise<void> {
      const details = { reason, ...(email !== null && { email: maskedEmail(email) }) };
      const key = `${placeOf(ip)} ${email?.toLowerCase() ?? userId}`;
      await recordFailure(key, { action: "auth.login_failed", userId: null, target: userId, ip, details });
    },

    /** Records that a signed-in user gave a wrong password or code where an action requires it again. */
    async reauthenticationFailed(actor: SignedIn, reason: ReauthenticationFailure): Promise<void> {
      const { userId, ip = "" } = actor;
      const action = "auth.reauthentication_failed";
      await recordFailure(`${placeOf(ip)} ${userId}`, { action, actor, target: userId, details: { reason } });
    },
  };
}

/** Records sign-ins, failed sign-ins and failed reauthentications. */
export type SignInLog = ReturnType<typeof createSignInLog>;

/** Returns the first character and the domain. Users may type anything into the field, including passwords. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${[...email][0] ?? ""}…${at > 0 ? email.slice(at, at + 100) : ""}`;
}
