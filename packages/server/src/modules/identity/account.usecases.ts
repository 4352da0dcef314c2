import { sql } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, unauthorized } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import type { Mail } from "../mail/mail.ts";
import type { EmailVerification } from "./email-verification.ts";
import { emailTaken, usernameTaken, wrongPassword } from "./identity.errors.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import { verifyPassword } from "./passwords.ts";

export type ProfileChange = {
  name?: string | undefined;
  username?: string | undefined;
  email?: string | undefined;
  current_password?: string | undefined;
};

const DUPLICATE = "23505";
/** Who has no password proves who they are by having signed in this lately. */
const RECENT = 15 * 60_000;

type Deps = {
  db: Database;
  identity: IdentityRepository;
  verification: EmailVerification;
  mail: Mail;
  audit: Audit;
  clock: Clock;
  productName: string;
  forgetKeys(): void;
};

/** What people do with their own account. */
export function createAccount({ db, identity, verification, mail, audit, clock, productName, forgetKeys }: Deps) {
  async function find(userId: string) {
    const user = await identity.findWithOrganization(userId);
    if (!user) throw unauthorized();
    return user;
  }

  async function changeEmail(userId: string, email: string, password: string | undefined): Promise<void> {
    const user = await find(userId);
    if (email.toLowerCase() === user.email_lower) return;
    if (user.password_hash !== null && !(await verifyPassword(password ?? "", user.password_hash)))
      throw wrongPassword();
    if (await identity.findByEmail(email)) throw emailTaken();
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("users").set({ pending_email: email }).where("id", "=", userId).execute();
      await verification.send(userId, email, null, trx);
      await audit.record({ action: "account.ask_for_email", userId, target: userId }, trx);
    });
  }

  /** Who deletes an account proves who they are: by the password, or by a recent sign-in where there is none. */
  async function prove(actor: SignedIn, hash: string | null, password: string | undefined): Promise<void> {
    if (hash !== null) {
      if (!(await verifyPassword(password ?? "", hash))) throw wrongPassword("password");
      return;
    }
    const session =
      actor.credential.type === "session" &&
      (await db.selectFrom("sessions").select("created_at").where("id", "=", actor.credential.id).executeTakeFirst());
    if (!session || clock.now().getTime() - session.created_at.getTime() > RECENT)
      throw new AppError(403, "recent_sign_in_required", "Sign out and in again, and then delete the account.");
  }

  async function refuseWhoIsNeeded(userId: string, trx: Database): Promise<void> {
    const admins = await trx.selectFrom("users").select("id").where("is_admin", "=", true).forUpdate().execute();
    if (admins.length === 1 && admins[0]?.id === userId)
      throw new AppError(409, "last_admin", "You are the last admin of this platform. Make somebody else one first.");
    const { rows } = await sql<{ name: string }>`
      select o.name from organizations o
      where exists (select 1 from memberships m where m.organization_id = o.id and m.user_id <> ${userId})
        and exists (select 1 from memberships m where m.organization_id = o.id and m.user_id = ${userId} and m.role = 'admin')
        and not exists (select 1 from memberships m where m.organization_id = o.id and m.user_id <> ${userId} and m.role = 'admin')
      limit 1`.execute(trx);
    if (rows[0])
      throw new AppError(
        409,
        "last_organization_admin",
        `You are the last admin of ${rows[0].name}. Make another member its admin first.`,
      );
  }

  return {
    async update(userId: string, change: ProfileChange): Promise<void> {
      const { name, username, email, current_password } = change;
      if (email !== undefined) await changeEmail(userId, email, current_password);
      if (name === undefined && username === undefined) return;
      try {
        await db
          .updateTable("users")
          .set({
            updated_at: clock.now(),
            ...(name !== undefined && { name: name.trim() }),
            ...(username !== undefined && { username }),
          })
          .where("id", "=", userId)
          .execute();
      } catch (error) {
        if ((error as { code?: string }).code === DUPLICATE) throw usernameTaken();
        throw error;
      }
    },

    /** Deletes the account with all that belongs to it alone. What was paid and done stays on the books. */
    async delete(actor: SignedIn, password: string | undefined): Promise<void> {
      const { userId } = actor;
      const user = await find(userId);
      await prove(actor, user.password_hash, password);
      await db.transaction().execute(async (trx) => {
        await refuseWhoIsNeeded(userId, trx);
        await trx
          .deleteFrom("organizations")
          .where("id", "in", (eb) =>
            eb.selectFrom("memberships").select("organization_id").where("user_id", "=", userId),
          )
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("memberships")
                  .select("user_id")
                  .whereRef("organization_id", "=", "organizations.id")
                  .where("user_id", "!=", userId),
              ),
            ),
          )
          .execute();
        await trx.deleteFrom("users").where("id", "=", userId).execute();
        const text = `Your account at ${productName} and everything in it was deleted, as you asked.`;
        await mail.send(
          { kind: "account_deleted", to: user.email, subject: `Your account at ${productName} is gone`, text },
          trx,
        );
        await audit.record({ actor, action: "account.delete", target: userId }, trx);
      });
      forgetKeys();
    },

    /** Everything kept about a user, without anything that opens a door. */
    async export(userId: string) {
      const of = { user: userId };
      const [memberships, sessions, keys, reviews, linked, requests] = await Promise.all([
        db
          .selectFrom("memberships")
          .innerJoin("organizations", "organizations.id", "organization_id")
          .select(["organization_id", "organizations.name", "role", "memberships.created_at"])
          .where("user_id", "=", of.user)
          .execute(),
        db
          .selectFrom("sessions")
          .select(["id", "ip", "user_agent", "created_at", "last_seen_at", "expires_at", "revoked_at"])
          .where("user_id", "=", of.user)
          .execute(),
        db
          .selectFrom("api_keys")
          .select(["id", "name", "prefix", "last4", "scopes", "created_at", "last_used_at", "deleted_at"])
          .where("created_by", "=", of.user)
          .execute(),
        db.selectFrom("reviews").selectAll().where("user_id", "=", of.user).execute(),
        db
          .selectFrom("linked_accounts")
          .select(["provider", "email", "name", "linked_at"])
          .where("user_id", "=", of.user)
          .execute(),
        db
          .selectFrom("requests")
          .select(["id", "model_id", "prompt_tokens", "completion_tokens", "started_at"])
          .where("user_id", "=", of.user)
          .orderBy("started_at", "desc")
          .limit(10_000)
          .execute(),
      ]);
      return { organizations: memberships, sessions, api_keys: keys, reviews, linked_accounts: linked, requests };
    },
  };
}

export type AccountUseCases = ReturnType<typeof createAccount>;
