import type { Settings } from "../../config/settings.ts";
import type { Clock } from "../../shared/clock.ts";
import { hashSecret } from "../../shared/secrets.ts";
import type { OpenInvitation, OpenInvitations } from "./open-invitations.ts";
import { invitationEnded, invitationRequired, invitedOtherEmail, registrationClosed } from "./registration.errors.ts";

export type RegistrationMode = Settings["FEATHER_REGISTRATION"];
/** How somebody may make an account: by which invitation, and whether an admin has to let them in afterwards. */
export type Admission = { invitation: OpenInvitation | null; needsApproval: boolean };

type Deps = { mode: RegistrationMode; invitations: OpenInvitations; clock: Clock };

/** Decides who may make an account, as FEATHER_REGISTRATION says. */
export function createAdmission({ mode, invitations, clock }: Deps) {
  /** Who is invited to the platform by an admin needs no other one; an organization's members cannot let people in. */
  const admitted = (invitation: OpenInvitation | null): Admission => ({
    invitation,
    needsApproval: mode === "approve" && invitation?.kind !== "platform",
  });

  return {
    mode,

    /** Admits somebody who registers with the secret of an invitation, or with none. Throws who may not. */
    async admit(email: string, secret: string | null): Promise<Admission> {
      if (mode === "off") throw registrationClosed();
      if (secret === null) {
        if (mode === "invite") throw invitationRequired();
        return admitted(null);
      }
      const invitation = await invitations.findBySecret(hashSecret(secret), clock.now());
      if (invitation === null) throw invitationEnded();
      if (invitation.emailLower !== email.toLowerCase()) throw invitedOtherEmail();
      return admitted(invitation);
    },

    /** Admits somebody who comes from a sign-in provider: an invitation counts where the provider proved its address. */
    async admitFromProvider(email: string, isVerified: boolean): Promise<Admission> {
      if (mode === "off") throw registrationClosed();
      const invitation = isVerified ? await invitations.findByEmail(email, clock.now()) : null;
      if (mode === "invite" && invitation === null) throw invitationRequired();
      return admitted(invitation);
    },
  };
}

export type RegistrationAdmission = ReturnType<typeof createAdmission>;
