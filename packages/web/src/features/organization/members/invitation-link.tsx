import type { Invitation } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { LinkDialog } from "#/components/ui/dialogs/link-dialog.tsx";

type Props = { invited: Invitation | null; close(): void };

/** Shows the link of an invitation once, where the server sends no mail. */
export function InvitationLink({ invited, close }: Props) {
  return (
    <LinkDialog
      title={t`The link for ${invited?.email ?? ""}`}
      description={t`This server sends no mail, so nobody was sent it. Copy it and pass it on: it is not shown again.`}
      link={invited?.link ?? null}
      close={close}
    />
  );
}
