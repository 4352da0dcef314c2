import { useEffect, useState } from "react";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { createCardReturnPath } from "./card-return-path.ts";

/**
 * Saves the card that was entered on the page of another payment service, which does not say here that it was. Calls `onAdded` when it is
 * saved.
 */
export function usePendingCard(mayAdd: boolean, onAdded: () => unknown): { isBusy: boolean; error: unknown } {
  const [intentId] = useState(() => createCardReturnPath().readIntent());
  const [isDone, setDone] = useState(intentId === null);
  const saving = useAction(
    (id: string, options) => feather.paymentMethods.setupIntents.confirm(id, undefined, options),
    {
      showsError: true,
    },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the card is saved once
  useEffect(() => {
    if (intentId === null || !mayAdd) return;
    void saving.run(intentId).then(async (saved) => {
      if (saved) await onAdded();
      setDone(true);
    });
  }, [intentId, mayAdd]);
  return { isBusy: mayAdd && !isDone, error: saving.error };
}
