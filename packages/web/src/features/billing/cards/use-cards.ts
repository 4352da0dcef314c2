import type { PaymentMethod } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { cardsQuery } from "#/entities/billing/queries.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { formatCardName } from "./cards.ts";

/**
 * The cards and their actions. A new default is shown at once and can be undone; removing a card asks for confirmation.
 */
export function useCards(enabled: boolean) {
  const confirm = useConfirm();
  const cards = useQuery({ ...cardsQuery, enabled });
  const choice = useAction(({ card }: Choice) => feather.paymentMethods.makeDefault(card.id), {
    showsError: true,
    optimistic: showDefault,
    success: (_, { card }) => t`${formatCardName(card)} pays`,
    undo: (run, { card, previous }) => (previous ? () => run({ card: previous, previous: card }) : null),
    invalidates: [cardsQuery.queryKey],
  });
  const removal = useAction((card: PaymentMethod) => feather.paymentMethods.delete(card.id), {
    showsError: true,
    success: (_, card) => t`${formatCardName(card)} is removed`,
    invalidates: [cardsQuery.queryKey],
  });

  function makeDefault(card: PaymentMethod): void {
    removal.clearError();
    void choice.run({ card, previous: cards.data?.items.find(({ is_default }) => is_default) });
  }

  function remove(card: PaymentMethod): void {
    confirm({
      title: t`Remove ${formatCardName(card)}`,
      description: card.is_default
        ? t`It pays now. The newest of the others pays from then on.`
        : t`It cannot be used any more. To have it back, it is added anew.`,
      confirmButtonText: t`Remove ${formatCardName(card)}`,
      destructive: true,
      action: async () => {
        choice.clearError();
        await removal.run(card);
      },
    });
  }

  return { cards, error: choice.error ?? removal.error, busy: choice.busy, makeDefault, remove };
}

/** The card that is to pay, and the one that pays until then. */
type Choice = { card: PaymentMethod; previous: PaymentMethod | undefined };

/** Shows another card as the one that pays. Returns a function that restores the list. */
async function showDefault(client: QueryClient, { card }: Choice): Promise<() => void> {
  const { queryKey } = cardsQuery;
  await client.cancelQueries({ queryKey });
  const previous = client.getQueryData(queryKey);
  client.setQueryData(
    queryKey,
    (list) => list && { items: list.items.map((item) => ({ ...item, is_default: item.id === card.id })) },
  );
  return () => client.setQueryData(queryKey, previous);
}
