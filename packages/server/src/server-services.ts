import { isExposed } from "./config/exposure.ts";
import { publicUrlOf } from "./config/public-url.ts";
import type { Settings } from "./config/settings.ts";
import { createEarlyAnswers } from "./http/connections/early-answers.ts";
import { createEventStreamLimit } from "./http/event-stream-limit.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { marketplaceModeOf } from "./money/marketplace/marketplace.settings.ts";
import { createStorageHealth } from "./platform/core/db/storage-health.ts";
import { createDeviceCookie } from "./platform/core/http/device-cookie.ts";
import { chooseLimiters } from "./platform/core/http/limiter.ts";
import { createRateLimiter } from "./platform/core/http/rate-limits.ts";
import { createSessionCookie } from "./platform/core/http/session-cookie.ts";
import { JobStats } from "./platform/core/metrics/job-stats.ts";
import { createOutgoing } from "./platform/core/network/outgoing.ts";
import { createParsePool } from "./platform/core/parse-pool.ts";
import { createPeerClient } from "./platform/core/peers/peer-client.ts";
import { derivePeerToken } from "./platform/core/peers/peer-token.ts";
import { createSealer, createSigner, SEALING_PURPOSES, SIGNING_PURPOSES } from "./platform/core/secrets/sealing.ts";
import { createForwarding } from "./replicas/forwarding.ts";
import type { CompleteOptions } from "./server-options.ts";

/** What the modules and the HTTP layer share. */
export type Services = ReturnType<typeof createServices>;

/** Creates what the modules and the HTTP layer share, from the options of the server. */
export function createServices(options: CompleteOptions, { peerToken }: Pick<Keys, "peerToken">) {
  const { db, settings, clock, replicas } = options;
  const createLimiter = chooseLimiters({ db, clock, replicas });
  const earlyAnswers = createEarlyAnswers();
  return {
    publicUrl: publicUrlOf(settings.server),
    productName: settings.site.productName,
    deliversMail: settings.mail.smtpUrl !== undefined,
    /** Whether messages that stay in the outbox are logged with their links. */
    logsLinks: !isExposed(settings.server.host, settings.server.publicUrl),
    lifecycle: { starting: false, draining: false },
    outgoing: createOutgoing({ allow: settings.server.outgoingAllow }),
    createLimiter,
    limits: createRateLimiter(settings.server.rateLimits, createLimiter),
    storageHealth: createStorageHealth(clock),
    idempotency: createIdempotency(db, clock),
    eventStreams: createEventStreamLimit(),
    jobStats: new JobStats(),
    parsePool: createParsePool(),
    peers: createPeerClient({ replicas, token: peerToken.value }),
    earlyAnswers,
    forwarding: createForwarding({ replicas, token: peerToken.value, prepareAnswer: earlyAnswers.prepare }),
  };
}

type Keys = ReturnType<typeof deriveKeys>;

/** Derives from the installation's secret a key for each purpose. Two modules key their hashes with the secret itself. */
export function deriveKeys(secret: Uint8Array) {
  return {
    peerToken: derivePeerToken(secret),
    webhookSealer: createSealer(secret, SEALING_PURPOSES.webhookSecrets),
    backendKeySealer: createSealer(secret, SEALING_PURPOSES.backendKeys),
    providerKeySealer: createSealer(secret, SEALING_PURPOSES.providerKeys),
    toolServerSealer: createSealer(secret, SEALING_PURPOSES.toolServerSecrets),
    conversationKeySealer: createSealer(secret, SEALING_PURPOSES.conversationKeys),
    savedSettingsSealer: createSealer(secret, SEALING_PURPOSES.savedSettings),
    hubTokens: createSealer(secret, SEALING_PURPOSES.hubTokens),
    secondFactorSealer: createSealer(secret, SEALING_PURPOSES.secondFactors),
    registrationSigner: createSigner(secret, SIGNING_PURPOSES.registrationStates),
    deviceCookieSigner: createSigner(secret, SIGNING_PURPOSES.deviceCookies),
    cardFingerprintKey: secret,
    recoveryCodePepper: secret,
  };
}

/** Creates the cookies that sign people in. */
export function createCookies(
  { settings, clock }: CompleteOptions,
  { publicUrl }: Services,
  { deviceCookieSigner }: Keys,
) {
  const secure = publicUrl.startsWith("https:");
  return {
    sessionCookie: createSessionCookie(secure, settings.server.cookieDomain),
    deviceCookie: createDeviceCookie({ signer: deviceCookieSigner, clock, secure }),
  };
}

/** Returns what the server says about itself to everybody. */
export function publicConfigOf(settings: Settings, { productName, publicUrl, deliversMail }: Services) {
  return {
    productName,
    publicUrl,
    providers: settings.signInProviders.providers.map(({ id }) => id),
    registration: settings.registration.mode,
    analytics: {
      key: settings.site.analyticsKey,
      host: settings.site.analyticsHost,
      beforeConsent: settings.site.analyticsBeforeConsent,
    },
    deliversMail,
    payments: settings.billing.payments,
    stripePublishableKey:
      settings.billing.payments === "stripe" ? (settings.billing.stripePublishableKey ?? null) : null,
    stripePortal: settings.billing.payments === "stripe" && settings.billing.stripePortal,
    marketplaces: marketplaceModeOf(settings.marketplace),
    contactEmail: settings.site.contactEmail ?? null,
    communityUrl: settings.site.communityUrl ?? null,
  };
}
