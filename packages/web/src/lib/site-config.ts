import { queryOptions, useQuery } from "@tanstack/react-query";
import { feather } from "./feather.ts";

/** What the operator has set for the site. */
export const siteConfigQuery = queryOptions({
  queryKey: ["site-config"],
  queryFn: async () => feather.system.config(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Where the operator is reached; null where none is set, and until it is known. */
export function useContact(): { email: string | null; communityUrl: string | null } {
  const { data } = useQuery(siteConfigQuery);
  return { email: data?.contact_email ?? null, communityUrl: data?.community_url ?? null };
}

/** Whether plans and credits, or plans of cloud marketplaces, can be bought here. Taken as sold until the server says otherwise. */
export function useIsSold(where: "payments" | "marketplaces" = "payments"): boolean {
  return useQuery(siteConfigQuery).data?.[where] !== "off";
}
