import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { hashSecret } from "../../platform/core/secrets/secrets.ts";
import type { OpenInvitation, OpenInvitationsRepository } from "./open-invitations.repository.ts";
import { invitedOtherEmail } from "./registration.errors.ts";
import type { RegistrationSettings } from "./registration.settings.ts";

/** Value of FEATHER_REGISTRATION. */
export type RegistrationMode = RegistrationSettings["mode"];
/** The invitation that a new account uses, if any, and whether an admin has to approve the account. */
export type Admission = { invitation: OpenInvitation | null; needsApproval: boolean };

type Deps = { mode: RegistrationMode; openInvitationsRepository: OpenInvitationsRepository; clock: Clock };

/** Creates the rules for who may register, according to FEATHER_REGISTRATION. */
export function createAdmission({ mode, openInvitationsRepository, clock }: Deps) {
  /** An invitation to the platform comes from an admin and replaces the approval; one to an organization does not. */
  const toAdmission = (invitation: OpenInvitation | null): Admission => ({
    invitation,
    needsApproval: mode === "approve" && invitation?.kind !== "platform",
  });

  /**
   * Throws in the mode `invite` for invitations to organizations: only invitations from admins permit a registration. Every
   * user has an organization, so otherwise everybody could admit new users.
   */
  function refuseMemberInvitation({ kind }: OpenInvitation): void {
    if (mode === "invite" && kind === "organization") throw errors.registration.invitationRequired();
  }

  return {
    mode,

    /**
     * Checks a registration, with the secret of an invitation or without (`null`). Throws 403 if it is not allowed, and 404
     * for an ended invitation.
     */
    async admit(email: string, secret: string | null): Promise<Admission> {
      if (mode === "off") throw errors.registration.closed();
      if (secret === null) {
        if (mode === "invite") throw errors.registration.invitationRequired();
        return toAdmission(null);
      }
      const invitation = await openInvitationsRepository.findBySecret(hashSecret(secret), clock.now());
      if (invitation === null) throw errors.invitations.ended();
      refuseMemberInvitation(invitation);
      if (invitation.emailLower !== email.toLowerCase()) throw invitedOtherEmail();
      return toAdmission(invitation);
    },

    /** Checks a registration through a sign-in provider. Invitations count only for addresses that the provider verified. */
    async admitFromProvider(email: string, isVerified: boolean): Promise<Admission> {
      if (mode === "off") throw errors.registration.closed();
      const invitation = isVerified ? await openInvitationsRepository.findByEmail(email, clock.now()) : null;
      if (invitation !== null) refuseMemberInvitation(invitation);
      if (mode === "invite" && invitation === null) throw errors.registration.invitationRequired();
      return toAdmission(invitation);
    },
  };
}

/** Decides who may register. */
export type RegistrationAdmission = ReturnType<typeof createAdmission>;
