import { useQuery } from "@tanstack/react-query";
import { cardsQuery, invoicesQuery } from "#/entities/billing/queries.ts";

/** Returns whether payments are tests, judged by the stored cards and invoices. */
export function useTestPayments(canView: boolean): boolean {
  const cards = useQuery({ ...cardsQuery, enabled: canView });
  const invoices = useQuery({ ...invoicesQuery(1), enabled: canView });
  return [...(cards.data?.items ?? []), ...(invoices.data?.items ?? [])].some(({ is_test }) => is_test);
}
