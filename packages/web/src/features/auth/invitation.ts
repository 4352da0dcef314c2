import { type InvitationPreview, isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";

/** What an invitation link is for; null when it was used, withdrawn or has expired. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: queries.auth.invitation.key(token),
    queryFn: async (): Promise<InvitationPreview | null> => {
      try {
        return await feather.auth.invitation(token);
      } catch (error) {
        if (isApiError(error) && (error.status === 404 || error.status === 400)) return null;
        throw error;
      }
    },
  });

/** Returns a sentence that says who invites to which organization. */
export function describeInvitation({ organization, invited_by }: InvitationPreview, product: string): string {
  const to = organization ?? product;
  return invited_by === null ? t`You are invited to ${to}.` : t`${invited_by} invites you to ${to}.`;
}
