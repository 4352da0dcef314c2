import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { SignedIn } from "../../http/actor.ts";
import { placeOf } from "../../http/address-limits.ts";
import type { Act, Audit } from "../audit/audit.ts";

/** How somebody proved who they are. */
export type SignInMethod = "password" | "second_factor" | "passkey" | "link" | "provider" | "registration" | "setup";
/** Why somebody was not let in. */
export type SignInFailure = "wrong_credentials" | "wrong_code" | "wrong_passkey" | "passkey_counter" | "suspended";
/** Why somebody did not prove that a session, key or token is in its owner's hands. */
export type ReauthenticationFailure = "wrong_password" | "wrong_code";
type Attempt = { userId: string | null; email: string | null; ip: string; reason: SignInFailure };

/** Failures that are written down within ten minutes: by place and account, and from all places together. */
const MOST = { each: 5, all: 200 };
const WINDOW_S = 600;

/**
 * Writes who came in, and who tried, into the audit log. Anybody can fail to log in as often as they like, so failures
 * are bounded: what goes beyond is counted, and stands with the next one that is written down.
 */
export function createSignInLog(audit: Audit, most = MOST) {
  const each = new RateLimiterMemory({ points: most.each, duration: WINDOW_S });
  const all = new RateLimiterMemory({ points: most.all, duration: WINDOW_S });
  let leftOut = 0;

  /** Writes a failure down while there is room for it, with the number of those that were left out before. */
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

    /** Writes down that somebody signed in gave a wrong password or code where an act asks for it once more. */
    async reauthenticationFailed(actor: SignedIn, reason: ReauthenticationFailure): Promise<void> {
      const { userId, ip = "" } = actor;
      const action = "auth.reauthentication_failed";
      await recordFailure(`${placeOf(ip)} ${userId}`, { action, actor, target: userId, details: { reason } });
    },
  };
}

export type SignInLog = ReturnType<typeof createSignInLog>;

/** Enough to recognize an address by, too little to write to it: people type all sorts of things where it belongs. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${[...email][0] ?? ""}…${at > 0 ? email.slice(at, at + 100) : ""}`;
}
