import { useEffect, useRef, useState } from "react";
import { isImpersonating } from "#/features/auth/impersonating.ts";
import { useUser } from "#/features/auth/user.ts";
import { useReferralStore } from "#/features/referral/context.ts";
import { codeOf, sendReferral } from "#/features/referral/referral-code.ts";
import { feather } from "#/lib/feather.ts";
import { useParameter } from "./use-parameter.ts";

/**
 * Stores the referral code from the URL and sends it once the visitor is signed in. It is not sent during impersonation:
 * the code in the admin's browser does not belong to the user.
 */
export function useReferral(): void {
  const store = useReferralStore();
  const { user } = useUser();
  const [arrived, setArrived] = useState(0);
  const sending = useRef(false);
  const userId = user?.id ?? null;

  useParameter("referrer", (value) => {
    const code = codeOf(value);
    if (code === null) return;
    store.set(code);
    setArrived((count) => count + 1);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: a code that has just arrived is sent too
  useEffect(() => {
    if (userId === null || sending.current || isImpersonating()) return;
    sending.current = true;
    void sendReferral(store, async (code) => feather.referral.setReferrer({ code }, { maxRetries: 0 })).finally(() => {
      sending.current = false;
    });
  }, [userId, store, arrived]);
}
