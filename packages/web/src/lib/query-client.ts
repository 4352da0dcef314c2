import { isApiError } from "@feather/sdk";
import { QueryClient } from "@tanstack/react-query";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The SDK has tried again already where that may help.
      queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: (query) => !isApiError(query.state.error) },
    },
  });
}
