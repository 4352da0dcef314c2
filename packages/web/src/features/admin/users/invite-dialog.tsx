import { t } from "@lingui/core/macro";
import { useState } from "react";
import { z } from "zod";
import { CopyBlock } from "#/components/ui/code.tsx";
import { Dialog } from "#/components/ui/dialog.tsx";
import { email } from "#/features/auth/rules.ts";
import { feather } from "#/lib/feather.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useSaved } from "../use-act.ts";

const rules = z.object({ email });

/** Invites an e-mail address to the platform and shows the link once, for servers without mail. */
export function InviteDialog({ open, close }: { open: boolean; close(): void }) {
  const saved = useSaved();
  const [made, setMade] = useState<{ email: string; link: string } | null>(null);
  return (
    <>
      <FormDialog
        open={open}
        title={t`Invite somebody`}
        description={t`They get a link with which they make an account for this address, once, within seven days.`}
        close={close}
        schema={rules}
        initial={{ email: "" }}
        fields={[{ name: "email", label: t`E-mail`, type: "email", inputMode: "email", autoComplete: "off" }]}
        submitLabel={t`Send the invitation`}
        submit={async (values) => {
          const { invitation, link } = await feather.admin.invitations.create(values);
          setMade({ email: invitation.email, link });
          await saved(t`${invitation.email} is invited`);
        }}
      />
      <Dialog
        open={made !== null}
        onClose={() => setMade(null)}
        dismissible={false}
        title={t`The link for ${made?.email ?? ""}`}
        description={t`It was sent by mail where a mail server is set up. Copy it to hand it over in another way: it is not shown again.`}
      >
        <div className="mt-4">
          <CopyBlock text={made?.link ?? ""} />
        </div>
        <div className="actions">
          <button type="button" className="btn primary" onClick={() => setMade(null)}>
            {t`Done`}
          </button>
        </div>
      </Dialog>
    </>
  );
}
