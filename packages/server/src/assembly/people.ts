import { createSealer, SEALING_PURPOSES } from "../core/sealing.ts";
import { createApiKeys } from "../modules/api-keys/api-keys.usecases.ts";
import { createApplicationsRepository } from "../modules/applications/applications.repository.ts";
import { createApplicationUseCases } from "../modules/applications/applications.usecases.ts";
import { createAuthUseCases } from "../modules/identity/auth.usecases.ts";
import { createAuthenticator } from "../modules/identity/authenticator.ts";
import { createEmailVerificationUseCases, type OnConfirmed } from "../modules/identity/email-verification.usecases.ts";
import { createPasskeysRepository } from "../modules/identity/passkeys.repository.ts";
import { createPasskeyUseCases } from "../modules/identity/passkeys.usecases.ts";
import { createPasswordResetUseCases } from "../modules/identity/password-reset.usecases.ts";
import { createReauthenticate, createReauthenticateUser } from "../modules/identity/reauthentication.ts";
import { createRecoveryCodes } from "../modules/identity/recovery-codes.ts";
import { createRegistrationStates } from "../modules/identity/registration-state.ts";
import { createRelyingParty } from "../modules/identity/relying-party.ts";
import { createSecondFactorUseCases } from "../modules/identity/second-factor.usecases.ts";
import { createSecondFactorChanges } from "../modules/identity/second-factor-changes.ts";
import { createSecondFactorPolicy } from "../modules/identity/second-factor-policy.ts";
import { createSecurityNotices } from "../modules/identity/security-notices.ts";
import { createSessionUseCases } from "../modules/identity/sessions.usecases.ts";
import { createSignInLog } from "../modules/identity/sign-in-log.ts";
import { createTotpUseCases } from "../modules/identity/totp.usecases.ts";
import { createToUserDto } from "../modules/identity/user.dto.ts";
import { createMailDelivery, smtpTransport } from "../modules/mail/mail-delivery.ts";
import { createAccessTokenAuthenticator } from "../modules/oauth/access-tokens.ts";
import { createOAuth } from "../modules/oauth/oauth.ts";
import { createInvitationsRepository } from "../modules/organizations/invitations.repository.ts";
import { createInvitations } from "../modules/organizations/invitations.usecases.ts";
import { createOrganizationsRepository } from "../modules/organizations/organizations.repository.ts";
import { createOrganizations } from "../modules/organizations/organizations.usecases.ts";
import { createImpersonationUseCases } from "../modules/people/impersonation.usecases.ts";
import { createPeopleRepository } from "../modules/people/people.repository.ts";
import { createReferrals } from "../modules/referrals/referrals.usecases.ts";
import { createAdmission } from "../modules/registration/admission.ts";
import { createApprovalUseCases } from "../modules/registration/approvals.usecases.ts";
import { createOpenInvitationsRepository } from "../modules/registration/open-invitations.repository.ts";
import { createPlatformInvitationUseCases } from "../modules/registration/platform-invitations.usecases.ts";
import { createRegistrationUseCases } from "../modules/registration/registration.usecases.ts";
import { createUnconfirmedAccounts } from "../modules/registration/unconfirmed-accounts.ts";
import { createLinkedAccountsRepository } from "../modules/sign-in-providers/linked-accounts.repository.ts";
import { createProviderLinking } from "../modules/sign-in-providers/linking.usecases.ts";
import { createProviders } from "../modules/sign-in-providers/providers.ts";
import { createProviderSignIn } from "../modules/sign-in-providers/sign-in-providers.usecases.ts";
import type { Base } from "./base.ts";

/** The people area. */
export type People = ReturnType<typeof createPeopleArea>;

/** Creates accounts, sign-in, organizations, applications and API keys. */
export function createPeopleArea(base: Base) {
  const {
    db,
    settings,
    log,
    clock,
    ids,
    secret,
    publicUrl,
    productName,
    mail,
    audit,
    usersRepository,
    apiKeysRepository,
    shared,
  } = base;
  const signInLog = createSignInLog(audit);
  const reauthenticate = createReauthenticate({ db, clock, signInLog });
  const notify = createSecurityNotices({ mail, publicUrl, productName });
  const approvals = createApprovalUseCases({ ...shared });
  const onConfirmed: OnConfirmed = async ({ email, approval_requested_at }, trx) => {
    if (approval_requested_at) await approvals.notifyAdmins(email, trx);
  };
  const verification = createEmailVerificationUseCases({
    ...shared,
    required: settings.mail.smtpUrl !== undefined,
    onConfirmed,
  });
  const referrals = createReferrals({ db, audit, clock, log, publicUrl });
  const { onRegistered } = referrals;
  const sealer = createSealer(secret, SEALING_PURPOSES.secondFactors);
  const lacksSecondFactor = createSecondFactorPolicy(settings.identity.requireSecondFactor);
  const recoveryCodes = createRecoveryCodes({ pepper: secret, clock });
  const changes = createSecondFactorChanges({ ...shared, recoveryCodes, lacksSecondFactor, notify });
  const totp = createTotpUseCases({ ...shared, sealer, recoveryCodes, changes });
  const passkeys = createPasskeyUseCases({
    ...shared,
    passkeysRepository: createPasskeysRepository(db),
    changes,
    ids,
    relyingParty: createRelyingParty(publicUrl, productName),
  });
  const secondFactor = createSecondFactorUseCases({ ...shared, totp, passkeys, recoveryCodes, changes, notify });
  const auth = createAuthUseCases({ ...shared, verification, signInLog, secondFactor, ids });
  const { mode } = settings.registration;
  const openInvitationsRepository = createOpenInvitationsRepository(db);
  const admission = createAdmission({ mode, openInvitationsRepository, clock });
  const unconfirmed = createUnconfirmedAccounts(db, clock);
  const joining = { admission, openInvitationsRepository, approvals, unconfirmed, verification, onRegistered };
  const linkedAccounts = createLinkedAccountsRepository(db);
  const authenticator = createAuthenticator({
    usersRepository,
    apiKeysRepository,
    clock,
    lacksSecondFactor,
    authenticateAccessToken: createAccessTokenAuthenticator(db, clock),
  });
  const { invalidateApiKeys } = authenticator;
  const applicationsRepository = createApplicationsRepository(db);
  const invitationsRepository = createInvitationsRepository(db);
  const organizationsRepository = createOrganizationsRepository(db, ids);
  const membership = { db, organizationsRepository, audit, clock, invalidateApiKeys, productName };
  return {
    reauthenticate,
    reauthenticateUser: createReauthenticateUser(usersRepository, reauthenticate),
    verification,
    referrals,
    signInLog,
    auth,
    authenticator,
    invalidateApiKeys,
    linkedAccounts,
    sessions: createSessionUseCases({ ...shared }),
    states: createRegistrationStates(secret),
    passwordReset: createPasswordResetUseCases({ ...shared, reauthenticate, onConfirmed, invalidateApiKeys }),
    totp,
    passkeys,
    secondFactor,
    providerSignIn: createProviderSignIn({
      ...shared,
      providers: createProviders(settings.signInProviders.providers),
      linkedAccountsRepository: linkedAccounts,
      linking: createProviderLinking({
        ...shared,
        identity: usersRepository,
        linkedAccountsRepository: linkedAccounts,
        reauthenticate,
        notify,
      }),
      identity: auth,
      usersRepository,
      ...joining,
    }),
    approvals,
    openInvitationsRepository,
    unconfirmed,
    registration: createRegistrationUseCases({ ...shared, ...joining, auth, usersRepository }),
    platformInvitations: createPlatformInvitationUseCases({ ...shared, mode, usersRepository, ids }),
    mailDelivery: createMailDelivery({
      db,
      clock,
      log,
      transport: settings.mail.smtpUrl === undefined ? null : smtpTransport(settings.mail.smtpUrl),
      from: settings.mail.from,
    }),
    applicationsRepository,
    applications: createApplicationUseCases({
      ...shared,
      applicationsRepository,
      ids,
      isReviewRequired: settings.applications.review,
      invalidateApiKeys,
    }),
    oauth: createOAuth({ db, applicationsRepository, audit, clock, ids, publicUrl }),
    organizationsRepository,
    organizations: createOrganizations(membership),
    invitationsRepository,
    invitations: createInvitations({
      ...membership,
      invitationsRepository,
      mail,
      ids,
      publicUrl,
    }),
    peopleRepository: createPeopleRepository(db),
    impersonation: createImpersonationUseCases({ db, audit, signInLog, clock, ids }),
    toUserDto: createToUserDto(usersRepository, base.plansRepository, lacksSecondFactor),
    apiKeys: createApiKeys({
      db,
      apiKeysRepository,
      plansRepository: base.plansRepository,
      audit,
      clock,
      ids,
      invalidateApiKeys,
    }),
  };
}
