import { randomInt } from "node:crypto";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Ids } from "../../platform/core/ids.ts";
import { createSecret, hashSecret, type RandomBytes } from "../../platform/core/secrets/secrets.ts";
import {
  type ApplicationRow,
  type ApplicationsRepository,
  addQueryParameters,
  isVerified,
} from "../applications/index.ts";
import { toGrantKey } from "./authorize.usecases.ts";
import { createOAuthError } from "./oauth.errors.ts";
import type { OAuthRepository } from "./oauth.repository.ts";
import { parseRequestedScopes, selectGrantedScopes, toScopeInfos } from "./scopes.ts";

type Decision = { user_code: string; decision: "approve" | "deny"; confirmed_scope?: string };
type Deps = {
  db: Database;
  oauthRepository: OAuthRepository;
  applicationsRepository: Pick<ApplicationsRepository, "findById">;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  publicUrl: string;
  random?: RandomBytes;
  /** Returns a random integer from 0 to `size` - 1, which picks a letter of a user code. Replaced in tests. */
  randomIndex?: (size: number) => number;
};

const DEVICE_CODE_LIFETIME_S = 600;
const POLL_INTERVAL_S = 5;
const MAX_USER_CODE_ATTEMPTS = 5;
/** Consonants only: codes spell no words and have no letters that look like digits. Eight of them make 25.6 billion codes. */
const USER_CODE_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_LENGTH = 8;

/** The device authorization flow of RFC 8628: signing in on devices without a browser. */
export function createDeviceUseCases(deps: Deps) {
  return bind(deps, {
    start: startDevice,
    claimRequest,
    decide: decideDeviceRequest,
  });
}

function newUserCode({ randomIndex = randomInt }: Deps) {
  return Array.from(
    { length: USER_CODE_LENGTH },
    () => USER_CODE_ALPHABET[randomIndex(USER_CODE_ALPHABET.length)],
  ).join("");
}

async function storeDeviceCode(
  deps: Deps,
  application: ApplicationRow,
  scopes: string[],
  secret: string,
  expiresAt: Date,
) {
  const { oauthRepository } = deps;
  for (let attempt = 0; attempt < MAX_USER_CODE_ATTEMPTS; attempt++) {
    const code = { secret_hash: hashSecret(secret), user_code: newUserCode(deps), application_id: application.id };
    const rest = { scopes, interval_s: POLL_INTERVAL_S, expires_at: expiresAt };
    if (await oauthRepository.insertDeviceCode({ ...code, ...rest })) return code.user_code;
  }
  throw new Error("No free user code was found.");
}

async function claim(
  deps: Deps,
  actor: SignedInActor,
  typedCode: string,
  change: object = {},
  trx: Database = deps.db,
) {
  const { oauthRepository, applicationsRepository, clock } = deps;
  const row = await oauthRepository.claimDeviceCode(
    normalizeUserCode(typedCode),
    actor.userId,
    change,
    clock.now(),
    trx,
  );
  const application = row && (await applicationsRepository.findById(row.application_id, trx));
  if (!row || application?.status !== "active") throw errors.oauth.codeNotFound();
  return { row, application };
}

async function startDevice(deps: Deps, application: ApplicationRow, scope: string | undefined) {
  const { clock, publicUrl, random } = deps;
  if (!application.device_flow)
    throw createOAuthError("unauthorized_client", "This application is not registered for sign-in on devices.");
  const scopes = parseRequestedScopes(scope, application.scopes);
  if (scopes === null) throw createOAuthError("invalid_scope", "This application may not ask for one of these scopes.");
  const secret = createSecret("odc", random);
  const userCode = formatUserCode(
    await storeDeviceCode(
      deps,
      application,
      scopes,
      secret,
      new Date(clock.now().getTime() + DEVICE_CODE_LIFETIME_S * 1000),
    ),
  );
  const verificationUri = `${publicUrl}/device`;
  return {
    device_code: secret,
    user_code: userCode,
    verification_uri: verificationUri,
    verification_uri_complete: addQueryParameters(verificationUri, { code: userCode }),
    expires_in: DEVICE_CODE_LIFETIME_S,
    interval: POLL_INTERVAL_S,
  };
}

/** Returns the request behind a user code, and reserves it: from then on only this user may decide on it. */
async function claimRequest(deps: Deps, actor: SignedInActor, typedCode: string) {
  const { row, application } = await claim(deps, actor, typedCode);
  const { id, name, description, homepage_url } = application;
  return {
    user_code: formatUserCode(row.user_code),
    application: { id, name, description, homepage_url, verified: isVerified(application) },
    scopes: toScopeInfos(row.scopes),
    expires_at: row.expires_at.toISOString(),
  };
}

async function decideDeviceRequest(
  deps: Deps,
  actor: SignedInActor,
  { user_code: typedCode, decision, confirmed_scope }: Decision,
): Promise<void> {
  const { db, oauthRepository, audit, clock, ids } = deps;
  await db.transaction().execute(async (trx) => {
    const status = decision === "approve" ? "approved" : "denied";
    const { row, application } = await claim(deps, actor, typedCode, { status }, trx);
    const scopes = selectGrantedScopes(row.scopes, confirmed_scope);
    if (decision === "approve") {
      const grant = { ...toGrantKey(actor, application.id), id: ids.next("grant"), granted_at: clock.now() };
      const { id } = await oauthRepository.upsertGrant({ ...grant, scopes }, trx);
      await oauthRepository.updateDeviceCode(row.secret_hash, { grant_id: id, scopes }, trx);
    }
    const details = { scopes, decision };
    await audit.record({ actor, action: "oauth.verify_device", target: application.id, details }, trx);
  });
}

/** Normalizes a typed code: upper case, without spaces and dashes. */
function normalizeUserCode(typedCode: string): string {
  return typedCode.toUpperCase().replaceAll(/[^A-Z]/g, "");
}

function formatUserCode(userCode: string): string {
  return `${userCode.slice(0, 4)}-${userCode.slice(4)}`;
}
