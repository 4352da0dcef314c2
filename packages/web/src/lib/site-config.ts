import { queryOptions, useQuery } from "@tanstack/react-query";
import { queries } from "./queries.ts";

/** Query for the operator's public settings of the site; fetched once per visit. */
export const siteConfigQuery = queryOptions({
  ...queries.system.config.queryOptions(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns the operator's contact e-mail and community URL; null where not set or not loaded yet. */
export function useContact(): { email: string | null; communityUrl: string | null } {
  const { data } = useQuery(siteConfigQuery);
  return { email: data?.contact_email ?? null, communityUrl: data?.community_url ?? null };
}

/**
 * Returns whether plans and credits, or plans of cloud marketplaces, can be bought here; true until the config is
 * loaded.
 */
export function useSalesEnabled(channel: "payments" | "marketplaces" = "payments"): boolean {
  return useQuery(siteConfigQuery).data?.[channel] !== "off";
}

/** Returns whether payments are made by the test driver; false until the config is loaded. */
export function useTestDriver(): boolean {
  return useQuery(siteConfigQuery).data?.payments === "test";
}

/** Returns the key for Stripe's card form; null where payments are not made through Stripe, undefined while it loads. */
export function useStripeKey(): string | null | undefined {
  const { data } = useQuery(siteConfigQuery);
  return data && (data.stripe_publishable_key ?? null);
}

/** Returns whether cards and addresses can also be changed in Stripe's customer portal; false until the config is loaded. */
export function useStripePortal(): boolean {
  return useQuery(siteConfigQuery).data?.stripe_portal === true;
}

/**
 * Returns whether the server sends mail. If it does not, people have to pass its links on themselves. True until the
 * config has loaded.
 */
export function useMailDelivery(): boolean {
  return useQuery(siteConfigQuery).data?.mail !== "off";
}
