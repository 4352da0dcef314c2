import { sql } from "kysely";
import type { Database } from "../../platform/core/db/connect.ts";
import type { StorageHealth } from "../../platform/core/db/storage-health.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers, ResponseOf } from "../../platform/core/http/handlers.ts";

/** The public configuration, which the site and the terminal read. */
export type PublicConfig = {
  productName: string;
  version: string;
  publicUrl: string;
  /** Ids of the sign-in providers. */
  providers: readonly string[];
  /** Whether the server's address allows passkeys. */
  passkeys: boolean;
  /** Who may create an account. */
  registration: "open" | "invite" | "approve" | "off";
  /** The analytics to which the site sends page views; without a key it sends none. */
  analytics: { key?: string | undefined; host: string; beforeConsent: boolean };
  /** Whether messages are sent by mail. */
  deliversMail: boolean;
  payments: "off" | "test" | "stripe" | "module";
  /** The key with which the card form of Stripe works; null where payments are not made through Stripe. */
  stripePublishableKey: string | null;
  /** Whether cards and addresses can also be changed in Stripe's customer portal. */
  stripePortal: boolean;
  marketplaces: "off" | "test" | "on";
  contactEmail: string | null;
  communityUrl: string | null;
};

type Deps = {
  db: Database;
  /** The OpenAPI document. */
  document: object;
  config: PublicConfig;
  storageHealth: StorageHealth;
  /** Whether the server is starting or stopping; it is not ready then. */
  lifecycle: { readonly starting: boolean; readonly draining: boolean };
};

/** Creates the handlers of health checks, of the OpenAPI document, and of the public configuration. */
export function systemRoutes({ db, document, config, storageHealth, lifecycle }: Deps): Handlers {
  return {
    "health.live": async () => ({ status: "ok" }),

    "health.ready": async () => {
      const unavailable = (what: string) => errors.unavailable(what, { retryAfterSeconds: 5 });
      if (lifecycle.starting) throw unavailable("The server is starting.");
      if (lifecycle.draining) throw unavailable("The server is stopping.");
      try {
        await sql`select 1`.execute(db);
      } catch {
        throw unavailable("The database does not answer.");
      }
      if (storageHealth.isFailing()) throw unavailable("The database cannot be used at the moment.");
      return { status: "ok", checks: { database: "ok" } };
    },

    // Sent as text, because it is large and needs no serialization by a schema.
    "system.openapi": async ({ reply }) => reply.type("application/json").send(JSON.stringify(document)),

    "system.config": async () => toConfigDto(config),
  };
}

function toConfigDto({ analytics, ...config }: PublicConfig): ResponseOf<"system.config"> {
  return {
    product_name: config.productName,
    version: config.version,
    public_url: config.publicUrl,
    posthog_key: analytics.key ?? null,
    posthog_host: analytics.key === undefined ? null : analytics.host,
    features: { analytics_before_consent: analytics.key !== undefined && analytics.beforeConsent },
    providers: [...config.providers],
    passkeys: config.passkeys,
    registration: config.registration,
    mail: config.deliversMail ? "smtp" : "off",
    payments: config.payments,
    stripe_publishable_key: config.stripePublishableKey,
    stripe_portal: config.stripePortal,
    marketplaces: config.marketplaces,
    contact_email: config.contactEmail,
    community_url: config.communityUrl,
  };
}
