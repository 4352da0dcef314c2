import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { lockDelegationColumns } from "../../platform/core/auth/delegation.ts";
import { selectValidDeploymentTokens } from "../../platform/core/auth/valid-deployment-tokens.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { createSecret, hashSecret, parseSecretKind } from "../../platform/core/secrets/secrets.ts";
import { HOUR_MS, MINUTE_MS } from "../../platform/core/time.ts";

/** The API key or OAuth grant that a token was created with. The token becomes invalid with it. */
type TokenOrigin = { made_by_key: string | null; made_under_grant: string | null };
type TokenOptions = {
  purpose: "api" | "console" | "login";
  lifetimeMs: number | null;
  userId: string | null;
  origin: TokenOrigin;
};
type Deps = { db: Database; audit: Audit; clock: Clock };

const LOGIN_LINK_LIFETIME_MS = 15 * MINUTE_MS;
const CONSOLE_TOKEN_LIFETIME_MS = HOUR_MS;

/**
 * Stores the credentials of deployments: API tokens, login links that work once, and the console tokens that login links
 * are exchanged for.
 */
export function createDeploymentTokens(deps: Deps) {
  return {
    ...bind(deps, {
      replace: replaceToken,
      createLoginLink,
      redeem: redeemToken,
      grantsAccess,
      deleteExpired,
    }),
    deleteAll,
  };
}

async function issueToken(
  deps: Deps,
  deploymentId: string,
  { purpose, lifetimeMs, userId, origin }: TokenOptions,
  trx: Database,
): Promise<{ token: string; expiresAt: Date | null }> {
  const { clock } = deps;
  const token = createSecret(purpose === "login" ? "one" : "dpt");
  const now = clock.now();
  const expiresAt = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs);
  await trx
    .insertInto("deployment_tokens")
    .values({
      secret_hash: hashSecret(token),
      deployment_id: deploymentId,
      purpose,
      user_id: userId,
      ...origin,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { token, expiresAt };
}

/** Creates the deployment's API token and deletes the previous one. */
async function replaceToken(deps: Deps, deploymentId: string, actor: SignedInActor, trx: Database): Promise<string> {
  await trx
    .deleteFrom("deployment_tokens")
    .where("deployment_id", "=", deploymentId)
    .where("purpose", "=", "api")
    .execute();
  const options = { purpose: "api", lifetimeMs: null, userId: null, origin: await findOrigin(actor, trx) } as const;
  return (await issueToken(deps, deploymentId, options, trx)).token;
}

/** Creates the token of a login link that works once. */
async function createLoginLink(
  deps: Deps,
  deploymentId: string,
  actor: SignedInActor,
  trx: Database,
): Promise<{ token: string; expiresAt: Date }> {
  const { clock } = deps;
  const origin = await findOrigin(actor, trx);
  const options = { purpose: "login", lifetimeMs: LOGIN_LINK_LIFETIME_MS, userId: actor.userId, origin } as const;
  const { token, expiresAt } = await issueToken(deps, deploymentId, options, trx);
  return { token, expiresAt: expiresAt ?? clock.now() };
}

/**
 * Redeems a login link and returns a console token. Throws `deployments.login_ended` if it was used or has expired.
 */
function redeemToken(deps: Deps, secret: string) {
  return deps.db.transaction().execute(async (trx) => {
    if (parseSecretKind(secret) !== "one") throw errors.deployments.loginEnded();
    const now = deps.clock.now();
    const usedLink = await trx
      .updateTable("deployment_tokens")
      .set({ used_at: now })
      .where("secret_hash", "=", hashSecret(secret))
      .where("purpose", "=", "login")
      .where("used_at", "is", null)
      .where("expires_at", ">", now)
      .returning(["deployment_id", "user_id", "made_by_key", "made_under_grant"])
      .executeTakeFirst();
    const deployment =
      usedLink &&
      (await trx
        .selectFrom("deployments")
        .select(["id", "name", "model_id", "organization_id"])
        .where("id", "=", usedLink.deployment_id)
        .where("deleting", "=", false)
        .executeTakeFirst());
    if (!deployment) throw errors.deployments.loginEnded();
    const { user_id: userId, made_by_key, made_under_grant } = usedLink;
    const origin = { made_by_key, made_under_grant };
    const options = { purpose: "console", lifetimeMs: CONSOLE_TOKEN_LIFETIME_MS, userId, origin } as const;
    const { token, expiresAt } = await issueToken(deps, deployment.id, options, trx);
    await deps.audit.record(
      {
        userId: null,
        organizationId: deployment.organization_id,
        action: "deployments.redeem_login",
        target: deployment.id,
        details: { link_of: usedLink.user_id },
      },
      trx,
    );
    return { deployment, token, expiresAt: expiresAt ?? now };
  });
}

/** Returns whether the token gives access to the deployment. */
async function grantsAccess({ db, clock }: Deps, deploymentId: string, secret: string): Promise<boolean> {
  if (parseSecretKind(secret) !== "dpt") return false;
  const row = await selectValidDeploymentTokens(db, clock.now())
    .select("deployment_tokens.deployment_id")
    .where("deployment_tokens.secret_hash", "=", hashSecret(secret))
    .where("deployment_id", "=", deploymentId)
    .where("purpose", "in", ["api", "console"])
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes all tokens and links of a deployment. */
function deleteAll(deploymentId: string, trx: Database) {
  return trx.deleteFrom("deployment_tokens").where("deployment_id", "=", deploymentId).execute();
}

function deleteExpired({ db, clock }: Deps) {
  return db.deleteFrom("deployment_tokens").where("expires_at", "<", clock.now()).execute();
}

async function findOrigin(actor: SignedInActor, trx: Database): Promise<TokenOrigin> {
  const { made_under_grant } = await lockDelegationColumns(actor, trx);
  return { made_by_key: actor.credential.type === "key" ? actor.credential.id : null, made_under_grant };
}

export type DeploymentTokens = ReturnType<typeof createDeploymentTokens>;
