import type { Invitation } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { useOpenedByParameter } from "#/lib/use-opened-by-parameter.ts";
import { InvitationLink } from "./invitation-link.tsx";
import { InviteDialog } from "./invite-dialog.tsx";

/** A button that opens the form of an invitation, as the query parameter `invite` does. */
export function InviteButton() {
  const [isInviting, setIsInviting] = useOpenedByParameter("invite");
  const [invited, setInvited] = useState<Invitation | null>(null);
  return (
    <>
      <button type="button" className="btn primary" onClick={() => setIsInviting(true)}>
        {t`Invite somebody`}
      </button>
      <InviteDialog open={isInviting} close={() => setIsInviting(false)} onInvited={setInvited} />
      <InvitationLink invited={invited} close={() => setInvited(null)} />
    </>
  );
}
