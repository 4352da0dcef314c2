import { isApiError, type SharedChat } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";

/** The copy of a chat behind a link; null when the link has ended, was revoked, or never was one. */
export const sharedChatQuery = (token: string) =>
  queryOptions({
    queryKey: queries.chatShares.read.key(token),
    queryFn: async (): Promise<SharedChat | null> => {
      try {
        return await feather.chatShares.read(token);
      } catch (error) {
        if (isApiError(error) && (error.status === 404 || error.status === 400)) return null;
        throw error;
      }
    },
  });
