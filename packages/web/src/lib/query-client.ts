import { isApiError } from "@feather/sdk";
import { QueryClient } from "@tanstack/react-query";

/** Returns the site's query client: no retries (the SDK has its own), data is fresh for 15 seconds. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The SDK already retries where a retry can help.
        retry: false,
        staleTime: 15_000,
        refetchOnWindowFocus: (query) => !isApiError(query.state.error),
        // While offline a query fails at once instead of pausing, so the page can show it; it refetches on reconnect.
        networkMode: "always",
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always" },
    },
  });
}
