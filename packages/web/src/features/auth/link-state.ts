import type { Body } from "@feather/sdk";
import { useQuery } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** Whether a link that works once was used or has ended. False until it is known, and where it cannot be asked. */
export function useLinkEnded(token: string, purpose: Body<"auth.checkLink">["purpose"]): boolean {
  const { data } = useQuery({
    queryKey: ["link", purpose, token],
    queryFn: async () => feather.auth.checkLink({ token, purpose }),
    staleTime: Number.POSITIVE_INFINITY, // using it up is the business of this page
    refetchOnWindowFocus: false,
  });
  return data?.usable === false;
}
