import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { LinkDialog } from "#/components/ui/dialogs/link-dialog.tsx";
import { email } from "#/entities/session/schemas.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import { FormDialog } from "../forms/form-dialog.tsx";

const inviteSchema = z.object({ email });

/** Invites an e-mail address to the platform and shows the link once, for servers without mail. */
export function InviteDialog({ open, close }: { open: boolean; close(): void }) {
  const sendsMail = useMailDelivery();
  const [created, setCreated] = useState<{ email: string; link: string } | null>(null);
  const invite = useAction((body: { email: string }) => feather.admin.invitations.create(body), {
    success: ({ invitation }) => t`${invitation.email} is invited`,
    onSuccess: ({ invitation, link }) => setCreated({ email: invitation.email, link }),
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <>
      <FormDialog
        open={open}
        title={t`Invite somebody`}
        description={t`They get a link with which they make an account for this address, once, within seven days.`}
        close={close}
        schema={inviteSchema}
        initial={{ email: "" }}
        fields={[{ name: "email", label: t`E-mail`, type: "email", inputMode: "email", autoComplete: "off" }]}
        submitLabel={sendsMail ? t`Send the invitation` : t`Make the link`}
        submit={invite.submit}
      />
      <LinkDialog
        title={t`The link for ${created?.email ?? ""}`}
        description={
          sendsMail
            ? t`It was sent by mail. Copy it to hand it over in another way, too: it is not shown again.`
            : t`There is no mail server, so nobody was sent it. Copy it and pass it on: it is not shown again.`
        }
        link={created?.link ?? null}
        close={() => setCreated(null)}
      />
    </>
  );
}
