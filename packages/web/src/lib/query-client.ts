import { isApiError } from "@feather/sdk";
import { QueryClient } from "@tanstack/react-query";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The SDK has tried again already where that may help.
        retry: false,
        staleTime: 15_000,
        refetchOnWindowFocus: (query) => !isApiError(query.state.error),
        // Without a network a page tells so, instead of waiting for one; with one again it reads by itself.
        networkMode: "always",
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always" },
    },
  });
}
