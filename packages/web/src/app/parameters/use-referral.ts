import { useEffect, useRef, useState } from "react";
import { isImpersonating } from "#/entities/session/is-impersonating.ts";
import { useUser } from "#/entities/session/user.ts";
import { parseReferralCode, sendReferral } from "#/features/referral/referral-code.ts";
import { useReferralStore } from "#/features/referral/referral-context.ts";
import { feather } from "#/lib/feather.ts";
import { useConsumeParameter } from "./use-consume-parameter.ts";

/**
 * Stores the referral code from the URL and sends it once the visitor is signed in. It is not sent during impersonation:
 * the code in the admin's browser does not belong to the user.
 */
export function useReferral(): void {
  const store = useReferralStore();
  const { user } = useUser();
  const [arrivals, setArrivals] = useState(0);
  const sending = useRef(false);
  const userId = user?.id ?? null;

  useConsumeParameter("referrer", (value) => {
    const code = parseReferralCode(value);
    if (code === null) return;
    store.set(code);
    setArrivals((count) => count + 1);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a code that has just arrived is sent too
  useEffect(() => {
    if (userId === null || sending.current || isImpersonating()) return;
    sending.current = true;
    void sendReferral(store, async (code) => feather.referral.setReferrer({ code }, { maxRetries: 0 })).finally(() => {
      sending.current = false;
    });
  }, [userId, store, arrivals]);
}
