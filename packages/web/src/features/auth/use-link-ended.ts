import type { LinkCheckRequest } from "@feather/sdk";
import { useQuery } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** Returns whether a one-time link was used or has expired. False while it is unknown. */
export function useLinkEnded(token: string, purpose: LinkCheckRequest["purpose"]): boolean {
  const { data } = useQuery({
    ...queries.auth.checkLink.queryOptions({ token, purpose }),
    staleTime: Number.POSITIVE_INFINITY, // only this page redeems the link
    refetchOnWindowFocus: false,
  });
  return data?.usable === false;
}
