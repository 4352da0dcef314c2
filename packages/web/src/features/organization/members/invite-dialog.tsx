import type { Invitation } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { email } from "#/entities/session/schemas.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useMailDelivery } from "#/lib/site-config.ts";
import { useAction } from "#/lib/use-action.ts";
import type { Role } from "../queries.ts";
import { getRoleDescription, ROLE_OPTIONS, ROLES } from "../roles.ts";

const schema = z.object({ email, role: z.enum(ROLES) });

type Props = { open: boolean; close(): void; onInvited(invitation: Invitation): void };

/** A dialog that asks for address and role of a new member. */
export function InviteDialog({ open, close, onInvited }: Props) {
  const sendsMail = useMailDelivery();
  const invite = useAction((values: z.infer<typeof schema>) => feather.organization.invitations.create(values), {
    success: describeInvited,
    invalidates: [queries.organization.key()],
    onSuccess(invitation) {
      close();
      onInvited(invitation);
    },
  });
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Invite somebody`}
      description={
        sendsMail
          ? t`They get a link by mail. It works once, for seven days, and only for the account with this e-mail.`
          : t`This server sends no mail: you get a link to pass on. It works once, for seven days, and only for the account with this e-mail.`
      }
    >
      {open ? (
        <div className="mt-4">
          <Form
            schema={schema}
            initial={{ email: "", role: "developer" as Role }}
            fields={[
              { name: "email", label: t`E-mail`, type: "email", autoComplete: "off", autoFocus: true },
              {
                name: "role",
                label: t`Role`,
                kind: "choice",
                options: ROLE_OPTIONS,
              },
            ]}
            renderSummary={({ role }) => <p className="small muted">{getRoleDescription(role)}</p>}
            submitLabel={sendsMail ? t`Send the invitation` : t`Make the link`}
            cancel={close}
            submit={invite.submit}
          />
        </div>
      ) : null}
    </Dialog>
  );
}

/** Returns the message after an invitation was made or renewed: whether its link was sent by mail, or only made. */
export const describeInvited = ({ link }: Invitation, { email: address }: { email: string }): string =>
  link ? t`The link for ${address} is made` : t`A link is on its way to ${address}`;
