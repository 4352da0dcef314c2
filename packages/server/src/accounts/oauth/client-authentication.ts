import { timingSafeEqual } from "node:crypto";
import type { Clock } from "../../platform/core/clock.ts";
import { hashSecret } from "../../platform/core/secrets/secrets.ts";
import type { ApplicationRow, ApplicationsRepository } from "../applications/index.ts";
import { createOAuthError, invalidClient } from "./oauth.errors.ts";

/** The parts of a request that authenticate an application: header, address and body. */
export type ClientRequest = {
  authorization: string | undefined;
  url: string;
  body: { client_id?: string; client_secret?: string };
};

type Deps = { applicationsRepository: Pick<ApplicationsRepository, "findById">; clock: Clock };
type ClientCredentials = { id: string; secret: string | undefined };

/** Authenticates the application that makes a request, as RFC 6749, section 2.3 specifies. */
export function createClientAuthentication({ applicationsRepository, clock }: Deps) {
  /**
   * Returns the authenticated application whatever its status: a suspended one may still revoke tokens. Throws
   * `invalid_client`.
   */
  async function authenticate(request: ClientRequest): Promise<ApplicationRow> {
    if (request.url.includes("?"))
      throw createOAuthError("invalid_request", "Send parameters in the body; in the address they end in logs.");
    const credentials = parseClientCredentials(request);
    if (credentials === null) throw invalidClient();
    const application = await applicationsRepository.findById(credentials.id);
    if (!application || !hasValidSecret(application, credentials.secret, clock.now())) throw invalidClient();
    return application;
  }

  return {
    /** Returns the authenticated application whatever its status, because a suspended one may still revoke tokens. */
    authenticate,

    /** Returns the authenticated application. Throws `unauthorized_client` unless it is active. */
    async authenticateActive(request: ClientRequest): Promise<ApplicationRow> {
      const application = await authenticate(request);
      if (application.status !== "active")
        throw createOAuthError("unauthorized_client", `This application is ${application.status}.`);
      return application;
    },
  };
}

function parseClientCredentials({ authorization, body }: ClientRequest): ClientCredentials | null {
  if (authorization === undefined) return body.client_id ? { id: body.client_id, secret: body.client_secret } : null;
  const basic = parseBasicCredentials(authorization);
  if (basic === null) throw invalidClient();
  if (body.client_secret !== undefined)
    throw createOAuthError("invalid_request", "The secret is sent twice: in the header and in the body.");
  if (body.client_id !== undefined && body.client_id !== basic.id)
    throw createOAuthError("invalid_request", "The header and the body name different applications.");
  return basic;
}

/**
 * Returns id and secret of a Basic header, which are form-encoded before they are joined. Null where it is malformed.
 */
function parseBasicCredentials(authorization: string): { id: string; secret: string } | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1];
  const text = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 1) return null;
  try {
    const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll("+", " ")),
    );
    return id === undefined || secret === undefined ? null : { id, secret };
  } catch {
    return null;
  }
}

function hasValidSecret(application: ApplicationRow, secret: string | undefined, now: Date): boolean {
  if (application.client_type === "public") return secret === undefined || secret === "";
  if (secret === undefined) return false;
  const hash = hashSecret(secret);
  const { secret_hash, previous_secret_hash, previous_secret_expires_at: graceEndsAt } = application;
  const isCurrent = secret_hash !== null && timingSafeEqual(secret_hash, hash);
  const isPrevious = previous_secret_hash !== null && timingSafeEqual(previous_secret_hash, hash);
  return isCurrent || (isPrevious && graceEndsAt !== null && graceEndsAt > now);
}
