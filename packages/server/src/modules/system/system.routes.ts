import { sql } from "kysely";
import type { Database } from "../../core/db/connect.ts";
import type { StorageHealth } from "../../core/db/storage-health.ts";
import { errors } from "../../core/errors/index.ts";
import type { Handlers } from "../../http/bind.ts";
import type { Contract } from "../../http/contract.ts";
import type { RegistrationMode } from "../registration/admission.ts";

/** The public key of a project at an analytics server. */
export type Analytics = { key: string; host: string; beforeConsent: boolean };

type Deps = {
  db: Database;
  contract: Contract;
  productName: string;
  version: string;
  publicUrl: string;
  /** Ids of the sign-in providers. */
  providers: readonly string[];
  /** Whether the server's address allows passkeys. */
  passkeys: boolean;
  /** Who may create an account. */
  registration: RegistrationMode;
  /** Where the site sends page views; null for nowhere. */
  analytics: Analytics | null;
  payments: "off" | "test";
  marketplaces: "off" | "test";
  /** The operator's e-mail and the community's URL; null if not set. */
  contact: { email: string | null; communityUrl: string | null };
  storageHealth: StorageHealth;
  /** Whether the server is starting or stopping; it is not ready then. */
  lifecycle: { readonly starting: boolean; readonly draining: boolean };
};

/** Handlers of health checks, of the contract, and of the public configuration. */
export function systemRoutes(deps: Deps): Handlers {
  const { db, contract, productName, version, publicUrl, providers, passkeys, registration, analytics, lifecycle } =
    deps;
  const { payments, marketplaces, contact, storageHealth } = deps;
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

    // Sent as text, since it is large and needs no serialization by a schema.
    "system.openapi": async ({ reply }) => reply.type("application/json").send(JSON.stringify(contract.document)),

    "system.config": async () => ({
      product_name: productName,
      version,
      public_url: publicUrl,
      posthog_key: analytics?.key ?? null,
      posthog_host: analytics?.host ?? null,
      features: { analytics_before_consent: analytics?.beforeConsent ?? false },
      providers: [...providers],
      passkeys,
      registration,
      payments,
      marketplaces,
      contact_email: contact.email,
      community_url: contact.communityUrl,
    }),
  };
}
