import type { User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { currentPasswordSchema } from "#/entities/session/schemas.ts";

/** Proof of the user's identity: their password, or nothing for accounts without one, whose sign-in must be recent. */
export type Reauthentication = { password?: string };

type Props = {
  user: User;
  open: boolean;
  close(): void;
  title: string;
  description?: ReactNode;
  submitLabel: string;
  destructive?: boolean;
  /** Runs the protected action. The dialog closes when it succeeds and shows the error it throws. */
  submit(reauthentication: Reauthentication): Promise<unknown>;
};

/** Asks for the password before an action that affects the security of the account. */
export function ReauthenticationDialog({
  user,
  open,
  close,
  title,
  description,
  submitLabel,
  destructive = false,
  submit,
}: Props) {
  return (
    <Dialog open={open} onClose={close} title={title} description={description}>
      {open ? (
        <div className="mt-4">
          <Form
            schema={z.object({ password: user.has_password ? currentPasswordSchema : z.string() })}
            initial={{ password: "" }}
            fields={
              user.has_password
                ? [
                    {
                      name: "password",
                      label: t`Your password`,
                      type: "password",
                      autoComplete: "current-password",
                      autoFocus: true,
                    },
                  ]
                : []
            }
            submitLabel={submitLabel}
            destructive={destructive}
            cancel={close}
            submit={async ({ password }) => {
              await submit(user.has_password ? { password } : {});
              close();
            }}
          />
        </div>
      ) : null}
    </Dialog>
  );
}
