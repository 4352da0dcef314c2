import { useQuery } from "@tanstack/react-query";
import { useUser } from "#/entities/session/user.ts";
import { USD } from "./plan-price.ts";
import { currenciesQuery } from "./queries.ts";

/** Returns the currency of prices: that in which the user's organization pays, or for visitors the default of this server. */
export function useCurrency(): string {
  const { user } = useUser();
  const { data } = useQuery(currenciesQuery);
  return (
    user?.organization.current_subscription?.currency ?? data?.items.find(({ is_default }) => is_default)?.code ?? USD
  );
}
