import { randomInt } from "node:crypto";
import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { type AppError, notFound } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { hashSecret, newSecret, type RandomBytes } from "../../shared/secrets.ts";
import type { ApplicationRow, ApplicationsRepository } from "../applications/applications.repository.ts";
import type { Audit } from "../audit/audit.ts";
import { grantOf, isVerified } from "./authorize.usecases.ts";
import { oauthError } from "./oauth.errors.ts";
import type { OAuthRepository } from "./oauth.repository.ts";
import { withParameters } from "./redirect-uris.ts";
import { askedScopes, grantedScopes, scopeInfos } from "./scopes.ts";

type Decision = { user_code: string; decision: "approve" | "deny"; confirmed_scope?: string };
type Deps = {
  db: Database;
  rows: OAuthRepository;
  applications: Pick<ApplicationsRepository, "findAny">;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  publicUrl: string;
  random?: RandomBytes;
  /** Returns a random integer from 0 to `size` - 1, which picks a letter of a user code. Replaced in tests. */
  pick?: (size: number) => number;
};

const LIFE = 600;
const INTERVAL = 5;
const TRIES = 5;
/** Consonants only: codes spell no words and have no letters that look like digits. Eight of them make 25.6 billion codes. */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const CODE_LENGTH = 8;

/** The device authorization flow of RFC 8628: signing in on devices without a browser. */
export function createDevices({
  db,
  rows,
  applications,
  audit,
  clock,
  ids,
  publicUrl,
  random,
  pick = randomInt,
}: Deps) {
  const newUserCode = () => Array.from({ length: CODE_LENGTH }, () => ALPHABET[pick(ALPHABET.length)]).join("");

  async function store(application: ApplicationRow, scopes: string[], secret: string, expiresAt: Date) {
    for (let tries = 0; tries < TRIES; tries++) {
      const code = { secret_hash: hashSecret(secret), user_code: newUserCode(), application_id: application.id };
      const rest = { scopes, interval_s: INTERVAL, expires_at: expiresAt };
      if (await rows.insertDeviceCode({ ...code, ...rest })) return code.user_code;
    }
    throw new Error("No free user code was found.");
  }

  async function claim(actor: SignedIn, typed: string, change: object = {}, trx: Database = db) {
    const row = await rows.claimDeviceCode(normalized(typed), actor.userId, change, clock.now(), trx);
    const application = row && (await applications.findAny(row.application_id, trx));
    if (!row || application?.status !== "active") throw noSuchCode();
    return { row, application };
  }

  return {
    async start(application: ApplicationRow, scope: string | undefined) {
      if (!application.device_flow)
        throw oauthError("unauthorized_client", "This application is not registered for sign-in on devices.");
      const scopes = askedScopes(scope, application.scopes);
      if (scopes === null) throw oauthError("invalid_scope", "This application may not ask for one of these scopes.");
      const secret = newSecret("odc", random);
      const userCode = shown(await store(application, scopes, secret, new Date(clock.now().getTime() + LIFE * 1000)));
      const page = `${publicUrl}/device`;
      return {
        device_code: secret,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: withParameters(page, { code: userCode }),
        expires_in: LIFE,
        interval: INTERVAL,
      };
    },

    /** Returns the request behind a user code, and reserves it: from then on only this user may decide on it. */
    async open(actor: SignedIn, typed: string) {
      const { row, application } = await claim(actor, typed);
      const { id, name, description, homepage_url } = application;
      return {
        user_code: shown(row.user_code),
        application: { id, name, description, homepage_url, verified: isVerified(application) },
        scopes: scopeInfos(row.scopes),
        expires_at: row.expires_at.toISOString(),
      };
    },

    async decide(actor: SignedIn, { user_code: typed, decision, confirmed_scope }: Decision): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const status = decision === "approve" ? "approved" : "denied";
        const { row, application } = await claim(actor, typed, { status }, trx);
        const scopes = grantedScopes(row.scopes, confirmed_scope);
        if (decision === "approve") {
          const grant = { ...grantOf(actor, application.id), id: ids.next("grant"), granted_at: clock.now() };
          const { id } = await rows.allow({ ...grant, scopes }, trx);
          await rows.updateDeviceCode(row.secret_hash, { grant_id: id, scopes }, trx);
        }
        const details = { scopes, decision };
        await audit.record({ actor, action: "oauth.verify_device", target: application.id, details }, trx);
      });
    },
  };
}

/** Normalizes a typed code: upper case, without spaces and dashes. */
function normalized(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z]/g, "");
}

function shown(userCode: string): string {
  return `${userCode.slice(0, 4)}-${userCode.slice(4)}`;
}

function noSuchCode(): AppError {
  return notFound(
    "This code is not known or has ended. Look again at your device, or begin there anew.",
    "oauth.code_not_found",
  );
}
