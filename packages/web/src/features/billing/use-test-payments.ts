import { useQuery } from "@tanstack/react-query";
import { cardsQuery, invoicesQuery } from "./queries.ts";

/** Whether payments here are tests, as far as cards and invoices tell. */
export function useTestPayments(sees: boolean): boolean {
  const cards = useQuery({ ...cardsQuery, enabled: sees });
  const invoices = useQuery({ ...invoicesQuery(1), enabled: sees });
  return [...(cards.data?.items ?? []), ...(invoices.data?.items ?? [])].some(({ is_test }) => is_test);
}
