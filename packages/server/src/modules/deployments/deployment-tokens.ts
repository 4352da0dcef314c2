import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { hashSecret, newSecret, secretKind } from "../../shared/secrets.ts";
import type { Audit } from "../audit/audit.ts";
import { linkEnded } from "./deployments.errors.ts";

type Deps = { db: Database; audit: Audit; clock: Clock };

const LINK_LASTS = 15 * 60_000;
const CONSOLE_LASTS = 3_600_000;

/** What opens a deployment: its own token until it is replaced, and for an hour that of a link that was used. */
export function createDeploymentTokens({ db, audit, clock }: Deps) {
  async function issue(
    deploymentId: string,
    { purpose, lasts, userId }: { purpose: "api" | "console" | "login"; lasts: number | null; userId: string | null },
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
        created_at: now,
        expires_at: expiresAt,
      })
      .execute();
    return { token, expiresAt };
  }

  return {
    /** The deployment's own token; the one before ends. */
    async replace(deploymentId: string, trx: Database): Promise<string> {
      await trx
        .deleteFrom("deployment_tokens")
        .where("deployment_id", "=", deploymentId)
        .where("purpose", "=", "api")
        .execute();
      return (await issue(deploymentId, { purpose: "api", lasts: null, userId: null }, trx)).token;
    },

    /** A token for a link that works once. */
    async link(deploymentId: string, actor: SignedIn, trx: Database): Promise<{ token: string; expiresAt: Date }> {
      const wanted = { purpose: "login", lasts: LINK_LASTS, userId: actor.userId } as const;
      const { token, expiresAt } = await issue(deploymentId, wanted, trx);
      return { token, expiresAt: expiresAt ?? clock.now() };
    },

    /** Uses a link up and answers what it gives. */
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
          .returning(["deployment_id", "user_id"])
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
        const wanted = { purpose: "console", lasts: CONSOLE_LASTS, userId: used.user_id } as const;
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

    /** Whether it opens this deployment now. */
    async opens(deploymentId: string, secret: string): Promise<boolean> {
      if (secretKind(secret) !== "dpt") return false;
      const row = await db
        .selectFrom("deployment_tokens")
        .select("expires_at")
        .where("secret_hash", "=", hashSecret(secret))
        .where("deployment_id", "=", deploymentId)
        .where("purpose", "in", ["api", "console"])
        .executeTakeFirst();
      return row !== undefined && (row.expires_at === null || row.expires_at > clock.now());
    },

    /** Ends all that open it. */
    endAll: (deploymentId: string, trx: Database) =>
      trx.deleteFrom("deployment_tokens").where("deployment_id", "=", deploymentId).execute(),

    prune: () => db.deleteFrom("deployment_tokens").where("expires_at", "<", clock.now()).execute(),
  };
}

export type DeploymentTokens = ReturnType<typeof createDeploymentTokens>;
