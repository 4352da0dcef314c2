import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialog.tsx";
import { Form } from "#/components/ui/form.tsx";
import { email } from "#/entities/session/schemas.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import type { Role } from "./queries.ts";
import { getRoleDescription, ROLE_OPTIONS, ROLES } from "./roles.ts";

const schema = z.object({ email, role: z.enum(ROLES) });

/** A dialog that asks for address and role of a new member. */
export function InviteDialog({ open, close }: { open: boolean; close(): void }) {
  const invite = useAction((values: z.infer<typeof schema>) => feather.organization.invitations.create(values), {
    success: (_, { email: address }) => t`A link is on its way to ${address}`,
    invalidates: [queries.organization.key()],
    onSuccess: close,
  });
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t`Invite somebody`}
      description={t`They get a link by mail. It works once, for seven days, and only for the account with this e-mail.`}
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
            renderSummary={({ role }) => <p className="small mid">{getRoleDescription(role)}</p>}
            submitLabel={t`Send the invitation`}
            cancel={close}
            submit={invite.submit}
          />
        </div>
      ) : null}
    </Dialog>
  );
}
