import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirm } from "#/components/ui/confirm.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { cardsQuery } from "#/entities/billing/queries.ts";
import { feather } from "#/lib/feather.ts";
import { type Card, formatCardName } from "./cards.ts";

/**
 * The cards and their actions. A new default is shown at once and can be undone; removing a card asks for confirmation.
 */
export function useCards(enabled: boolean) {
  const client = useQueryClient();
  const toast = useToast();
  const confirm = useConfirm();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const cards = useQuery({ ...cardsQuery, enabled });
  const refresh = () => client.invalidateQueries({ queryKey: cardsQuery.queryKey });

  function showDefault(id: string): void {
    client.setQueryData(cardsQuery.queryKey, (list) =>
      list ? { items: list.items.map((item) => ({ ...item, is_default: item.id === id })) } : list,
    );
  }

  async function makeDefault(card: Card, isUndo = false): Promise<void> {
    const previousDefault = cards.data?.items.find(({ is_default }) => is_default);
    setError(null);
    setBusy(true);
    await client.cancelQueries({ queryKey: cardsQuery.queryKey });
    showDefault(card.id);
    try {
      await feather.paymentMethods.makeDefault(card.id);
      toast({
        title: t`${formatCardName(card)} pays`,
        ...(previousDefault &&
          !isUndo && { action: { label: t`Undo`, run: () => void makeDefault(previousDefault, true) } }),
      });
    } catch (failure) {
      if (previousDefault) showDefault(previousDefault.id);
      setError(failure);
    }
    setBusy(false);
    await refresh();
  }

  function remove(card: Card): void {
    confirm({
      title: t`Remove ${formatCardName(card)}`,
      description: card.is_default
        ? t`It pays now. The newest of the others pays from then on.`
        : t`It cannot be used any more. To have it back, it is added anew.`,
      confirmButtonText: t`Remove ${formatCardName(card)}`,
      destructive: true,
      action: async () => {
        setError(null);
        try {
          await feather.paymentMethods.delete(card.id);
          toast({ title: t`${formatCardName(card)} is removed` });
        } catch (failure) {
          setError(failure);
        }
        await refresh();
      },
    });
  }

  return { cards, error, busy, refresh, makeDefault: (card: Card) => void makeDefault(card), remove };
}
