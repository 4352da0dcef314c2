import { useEffect, useRef, useState } from "react";
import { isImpersonating } from "#/features/auth/impersonating.ts";
import { useUser } from "#/features/auth/user.ts";
import { useReferralStore } from "#/features/referral/context.ts";
import { codeOf, sendReferral } from "#/features/referral/referral-code.ts";
import { feather } from "#/lib/feather.ts";
import { useParameter } from "./use-parameter.ts";

/**
 * Keeps the code of whoever brought the visitor, and sends it once they are signed in. An admin who acts as a user sends
 * none: the code in this browser is not the user's.
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
