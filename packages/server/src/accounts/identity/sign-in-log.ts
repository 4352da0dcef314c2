import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Audit, AuditEvent } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { clientNetworkOf } from "../../platform/core/http/rate-limits.ts";

/** How a user signed in. */
export type SignInMethod = "password" | "second_factor" | "passkey" | "link" | "provider" | "registration" | "setup";
/** Why a sign-in failed. */
export type SignInFailure = "wrong_credentials" | "wrong_code" | "wrong_passkey" | "passkey_counter" | "suspended";
/** Why a reauthentication failed. */
export type ReauthenticationFailure = "wrong_password" | "wrong_code";
type FailedSignIn = { userId: string | null; email: string | null; ip: string; reason: SignInFailure };

/** The largest number of failures that are recorded within ten minutes: per address and account, and overall. */
const MAX_ROWS = { perKey: 5, overall: 200 };
const WINDOW_S = 600;

/**
 * Creates the log of sign-ins in the audit log. Anybody can cause any number of failures, so their rows are limited:
 * further ones are only counted, and the count is stored with the next row. Each process has its own limits, so several
 * processes may write more rows, but count no failure twice.
 */
export function createSignInLog(audit: Audit, maxRows = MAX_ROWS) {
  const perKey = new RateLimiterMemory({ points: maxRows.perKey, duration: WINDOW_S });
  const overall = new RateLimiterMemory({ points: maxRows.overall, duration: WINDOW_S });
  let skippedCount = 0;

  /** Records a failure within the limits, with the number of failures that were skipped before it. */
  async function recordFailure(key: string, event: AuditEvent): Promise<void> {
    if (!(await isWithinLimits(key))) {
      skippedCount += 1;
      return;
    }
    const skippedBefore = skippedCount;
    skippedCount = 0;
    await audit.record({
      ...event,
      details: { ...event.details, ...(skippedBefore > 0 && { failures_left_out: skippedBefore }) },
    });
  }

  async function isWithinLimits(key: string): Promise<boolean> {
    try {
      await perKey.consume(key);
      await overall.consume("all");
      return true;
    } catch (error) {
      if (error instanceof RateLimiterRes) return false;
      throw error;
    }
  }

  return {
    recordSignIn: (
      account: { userId: string; organizationId: string | null },
      session: string,
      ip: string,
      method: SignInMethod,
    ) => audit.record({ action: "auth.login", ...account, target: session, ip, details: { method } }),

    async recordFailedSignIn({ userId, email, ip, reason }: FailedSignIn): Promise<void> {
      const details = { reason, ...(email !== null && { email: maskEmail(email) }) };
      const key = `${clientNetworkOf(ip)} ${email?.toLowerCase() ?? userId}`;
      await recordFailure(key, { action: "auth.login_failed", userId: null, target: userId, ip, details });
    },

    /** Records that a signed-in user entered a wrong password or code for an action that requires it. */
    async recordFailedReauthentication(actor: SignedInActor, reason: ReauthenticationFailure): Promise<void> {
      const { userId, ip = "" } = actor;
      const action = "auth.reauthentication_failed";
      await recordFailure(`${clientNetworkOf(ip)} ${userId}`, { action, actor, target: userId, details: { reason } });
    },
  };
}

/** Records sign-ins, failed sign-ins and failed reauthentications. */
export type SignInLog = ReturnType<typeof createSignInLog>;

/**
 * Returns the first character and the domain. The rest is masked, because users may type anything into the field, even
 * passwords.
 */
export function maskEmail(email: string): string {
  const atIndex = email.lastIndexOf("@");
  return `${[...email][0] ?? ""}…${atIndex > 0 ? email.slice(atIndex, atIndex + 100) : ""}`;
}
