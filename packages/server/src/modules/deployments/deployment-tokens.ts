import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { hashSecret, newSecret, secretKind } from "../../shared/secrets.ts";
import { delegationColumns } from "../api-keys/delegation.ts";
import type { Audit } from "../audit/audit.ts";
import { linkEnded } from "./deployments.errors.ts";

/** The API key or OAuth grant that a token was created with. The token ends with it. */
type Origin = { made_by_key: string | null; made_under_grant: string | null };
type Issued = { purpose: "api" | "console" | "login"; lasts: number | null; userId: string | null; origin: Origin };
type Deps = { db: Database; audit: Audit; clock: Clock };

const LINK_LASTS = 15 * 60_000;
const CONSOLE_LASTS = 3_600_000;

/**
 * Stores the credentials of deployments: the API token, login links that work once, and the console tokens they give.
 */
export function createDeploymentTokens({ db, audit, clock }: Deps) {
  async function issue(
    deploymentId: string,
    { purpose, lasts, userId, origin }: Issued,
    trx: Database,
  ): Promise<{ token: string; expiresAt: Date | null }> {
    const token = newSecret(purpose === "login" ? "one" : "dpt");
    const now = clock.now();
    const expiresAt = lasts === null ? null : new Date(now.getTime() + lasts);
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

  return {
    /** Creates the deployment's API token and deletes the previous one. */
    async replace(deploymentId: string, actor: SignedIn, trx: Database): Promise<string> {
      await trx
        .deleteFrom("deployment_tokens")
        .where("deployment_id", "=", deploymentId)
        .where("purpose", "=", "api")
        .execute();
      const wanted = { purpose: "api", lasts: null, userId: null, origin: await originOf(actor, trx) } as const;
      return (await issue(deploymentId, wanted, trx)).token;
    },

    /** Creates the token of a login link that works once. */
    async link(deploymentId: string, actor: SignedIn, trx: Database): Promise<{ token: string; expiresAt: Date }> {
      const origin = await originOf(actor, trx);
      const wanted = { purpose: "login", lasts: LINK_LASTS, userId: actor.userId, origin } as const;
      const { token, expiresAt } = await issue(deploymentId, wanted, trx);
      return { token, expiresAt: expiresAt ?? clock.now() };
    },

    /**
     * Redeems a login link and returns a console token. Throws `deployments.login_ended` if it was used or has expired.
     */
    redeem: (secret: string) =>
      db.transaction().execute(async (trx) => {
        if (secretKind(secret) !== "one") throw linkEnded();
        const now = clock.now();
        const used = await trx
          .updateTable("deployment_tokens")
          .set({ used_at: now })
          .where("secret_hash", "=", hashSecret(secret))
          .where("purpose", "=", "login")
          .where("used_at", "is", null)
          .where("expires_at", ">", now)
          .returning(["deployment_id", "user_id", "made_by_key", "made_under_grant"])
          .executeTakeFirst();
        const deployment =
          used &&
          (await trx
            .selectFrom("deployments")
            .select(["id", "name", "model_id", "organization_id"])
            .where("id", "=", used.deployment_id)
            .where("deleting", "=", false)
            .executeTakeFirst());
        if (!deployment) throw linkEnded();
        const { user_id: userId, made_by_key, made_under_grant } = used;
        const origin = { made_by_key, made_under_grant };
        const wanted = { purpose: "console", lasts: CONSOLE_LASTS, userId, origin } as const;
        const { token, expiresAt } = await issue(deployment.id, wanted, trx);
        await audit.record(
          {
            userId: null,
            organizationId: deployment.organization_id,
            action: "deployments.redeem_login",
            target: deployment.id,
            details: { link_of: used.user_id },
          },
          trx,
        );
        return { deployment, token, expiresAt: expiresAt ?? now };
      }),

    /**
     * Whether the token gives access to the deployment. One that was created with an API key is valid as long as the
     * key.
     */
    async opens(deploymentId: string, secret: string): Promise<boolean> {
      if (secretKind(secret) !== "dpt") return false;
      const now = clock.now();
      const row = await db
        .selectFrom("deployment_tokens")
        .leftJoin("api_keys", "api_keys.id", "deployment_tokens.made_by_key")
        .select("deployment_tokens.deployment_id")
        .where("deployment_tokens.secret_hash", "=", hashSecret(secret))
        .where("deployment_id", "=", deploymentId)
        .where("purpose", "in", ["api", "console"])
        .where((eb) =>
          eb.or([eb("deployment_tokens.expires_at", "is", null), eb("deployment_tokens.expires_at", ">", now)]),
        )
        .where((eb) =>
          eb.or([
            eb("made_by_key", "is", null),
            eb.and([
              eb("api_keys.deleted_at", "is", null),
              eb("api_keys.disabled", "=", false),
              eb.or([eb("api_keys.expires_at", "is", null), eb("api_keys.expires_at", ">", now)]),
            ]),
          ]),
        )
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Deletes all tokens and links of a deployment. */
    endAll: (deploymentId: string, trx: Database) =>
      trx.deleteFrom("deployment_tokens").where("deployment_id", "=", deploymentId).execute(),

    prune: () => db.deleteFrom("deployment_tokens").where("expires_at", "<", clock.now()).execute(),
  };
}

async function originOf(actor: SignedIn, trx: Database): Promise<Origin> {
  const { made_under_grant } = await delegationColumns(actor, trx);
  return { made_by_key: actor.credential.type === "key" ? actor.credential.id : null, made_under_grant };
}

export type DeploymentTokens = ReturnType<typeof createDeploymentTokens>;
