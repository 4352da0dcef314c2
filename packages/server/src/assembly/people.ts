import { createApiKeys } from "../modules/api-keys/api-keys.usecases.ts";
import { createApplicationsRepository } from "../modules/applications/applications.repository.ts";
import { createApplications } from "../modules/applications/applications.usecases.ts";
import { createAuthenticator } from "../modules/identity/authenticator.ts";
import { createEmailVerification, type OnConfirmed } from "../modules/identity/email-verification.ts";
import { createIdentity } from "../modules/identity/identity.usecases.ts";
import { createPasskeysRepository } from "../modules/identity/passkeys.repository.ts";
import { createPasskeys } from "../modules/identity/passkeys.usecases.ts";
import { createPasswordReset } from "../modules/identity/password-reset.ts";
import { createProof, createReauthenticate } from "../modules/identity/proof.ts";
import { createRecoveryCodes } from "../modules/identity/recovery-codes.ts";
import { createRegistrationStates } from "../modules/identity/registration-state.ts";
import { relyingPartyOf } from "../modules/identity/relying-party.ts";
import { createSecondFactor } from "../modules/identity/second-factor.ts";
import { createSecondFactorChanges } from "../modules/identity/second-factor-changes.ts";
import { createSecondFactorPolicy } from "../modules/identity/second-factor-policy.ts";
import { createSecurityNotices } from "../modules/identity/security-notices.ts";
import { createSessions } from "../modules/identity/sessions.usecases.ts";
import { createSignInLog } from "../modules/identity/sign-in-log.ts";
import { createTotp } from "../modules/identity/totp.ts";
import { createUserPresenter } from "../modules/identity/user.present.ts";
import { createMailDelivery, smtpTransport } from "../modules/mail/delivery.ts";
import { createAccessTokens } from "../modules/oauth/access-tokens.ts";
import { createOAuth } from "../modules/oauth/oauth.ts";
import { createInvitationsRepository } from "../modules/organizations/invitations.repository.ts";
import { createInvitations } from "../modules/organizations/invitations.usecases.ts";
import { createOrganizationsRepository } from "../modules/organizations/organizations.repository.ts";
import { createOrganizations } from "../modules/organizations/organizations.usecases.ts";
import { createImpersonation } from "../modules/people/impersonation.ts";
import { createPeopleRepository } from "../modules/people/people.repository.ts";
import { createReferrals } from "../modules/referrals/referrals.ts";
import { createAdmission } from "../modules/registration/admission.ts";
import { createApprovals } from "../modules/registration/approvals.ts";
import { createOpenInvitations } from "../modules/registration/open-invitations.ts";
import { createPlatformInvitations } from "../modules/registration/platform-invitations.ts";
import { createRegistration } from "../modules/registration/registration.ts";
import { createUnconfirmedAccounts } from "../modules/registration/unconfirmed.ts";
import { createLinkedAccountsRepository } from "../modules/sign-in-providers/linked-accounts.repository.ts";
import { createProviderLinking } from "../modules/sign-in-providers/linking.ts";
import { createProviders } from "../modules/sign-in-providers/providers.ts";
import { createProviderSignIn } from "../modules/sign-in-providers/sign-in.usecases.ts";
import { createSealer, SEALING_PURPOSES } from "../shared/sealing.ts";
import type { Base } from "./base.ts";

/** The people area. */
export type People = ReturnType<typeof createPeopleArea>;

/** Creates accounts, sign-in, organizations, applications and API keys. */
export function createPeopleArea(base: Base) {
  const { db, settings, log, clock, ids, secret, publicUrl, productName, mail, audit, identities, keys, told } = base;
  const signInLog = createSignInLog(audit);
  const prove = createProof({ db, clock, signInLog });
  const notify = createSecurityNotices({ mail, publicUrl, productName });
  const approvals = createApprovals({ ...told });
  const onConfirmed: OnConfirmed = async ({ email, approval_requested_at }, trx) => {
    if (approval_requested_at) await approvals.announce(email, trx);
  };
  const verification = createEmailVerification({ ...told, required: settings.SMTP_URL !== undefined, onConfirmed });
  const referrals = createReferrals({ db, audit, clock, log, publicUrl });
  const { onRegistered } = referrals;
  const sealer = createSealer(secret, SEALING_PURPOSES.secondFactors);
  const lacksSecondFactor = createSecondFactorPolicy(settings.FEATHER_REQUIRE_SECOND_FACTOR);
  const recoveryCodes = createRecoveryCodes({ pepper: secret, clock });
  const changes = createSecondFactorChanges({ ...told, recoveryCodes, lacksSecondFactor, notify });
  const totp = createTotp({ ...told, sealer, recoveryCodes, changes });
  const passkeys = createPasskeys({
    ...told,
    passkeys: createPasskeysRepository(db),
    changes,
    ids,
    relyingParty: relyingPartyOf(publicUrl, productName),
  });
  const secondFactor = createSecondFactor({ ...told, totp, passkeys, recoveryCodes, changes, notify });
  const identity = createIdentity({ ...told, verification, signInLog, secondFactor, ids });
  const mode = settings.FEATHER_REGISTRATION;
  const openInvitations = createOpenInvitations(db);
  const admission = createAdmission({ mode, invitations: openInvitations, clock });
  const unconfirmed = createUnconfirmedAccounts(db, clock);
  const joining = { admission, invitations: openInvitations, approvals, unconfirmed, verification, onRegistered };
  const linkedAccounts = createLinkedAccountsRepository(db);
  const authenticator = createAuthenticator({
    identity: identities,
    keys,
    clock,
    lacksSecondFactor,
    byAccessToken: createAccessTokens(db, clock),
  });
  const { forgetKeys } = authenticator;
  const applicationRows = createApplicationsRepository(db);
  const invitationsRepository = createInvitationsRepository(db);
  const organizationsRepository = createOrganizationsRepository(db, ids);
  const membership = { db, organizations: organizationsRepository, audit, clock, forgetKeys, productName };
  return {
    prove,
    reauthenticate: createReauthenticate(identities, prove),
    verification,
    referrals,
    signInLog,
    identity,
    authenticator,
    forgetKeys,
    linkedAccounts,
    sessions: createSessions({ ...told }),
    states: createRegistrationStates(secret),
    passwordReset: createPasswordReset({ ...told, prove, onConfirmed, forgetKeys }),
    totp,
    passkeys,
    secondFactor,
    providerSignIn: createProviderSignIn({
      ...told,
      providers: createProviders(settings.FEATHER_SIGN_IN_PROVIDERS),
      linked: linkedAccounts,
      linking: createProviderLinking({ ...told, identity: identities, linked: linkedAccounts, prove, notify }),
      identity,
      identities,
      ...joining,
    }),
    approvals,
    openInvitations,
    unconfirmed,
    registration: createRegistration({ ...told, ...joining, identity, identities }),
    platformInvitations: createPlatformInvitations({ ...told, mode, identities, ids }),
    mailDelivery: createMailDelivery({
      db,
      clock,
      log,
      transport: settings.SMTP_URL === undefined ? null : smtpTransport(settings.SMTP_URL),
      from: settings.FEATHER_MAIL_FROM,
    }),
    applicationRows,
    applications: createApplications({
      ...told,
      applications: applicationRows,
      ids,
      review: settings.FEATHER_APPLICATION_REVIEW,
      forgetKeys,
    }),
    oauth: createOAuth({ db, applications: applicationRows, audit, clock, ids, publicUrl }),
    organizationsRepository,
    organizations: createOrganizations(membership),
    invitationsRepository,
    invitations: createInvitations({
      ...membership,
      invitations: invitationsRepository,
      mail,
      ids,
      publicUrl,
    }),
    peopleRepository: createPeopleRepository(db),
    impersonation: createImpersonation({ db, audit, signInLog, clock, ids }),
    presentUser: createUserPresenter(identities, base.plans, lacksSecondFactor),
    apiKeys: createApiKeys({ db, keys, plans: base.plans, audit, clock, ids, forgetKeys }),
  };
}
