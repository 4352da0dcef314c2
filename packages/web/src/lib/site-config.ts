import { queryOptions } from "@tanstack/react-query";
import { feather } from "./feather.ts";

/** What the operator has set for the site. */
export const siteConfigQuery = queryOptions({
  queryKey: ["site-config"],
  queryFn: async () => feather.system.config(),
  staleTime: Number.POSITIVE_INFINITY,
});
