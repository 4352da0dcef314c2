import type { Clock } from "../../shared/clock.ts";
import { AppError, unauthorized } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import { hashSecret, newSecret, type RandomBytes } from "../../shared/secrets.ts";
import type { IdentityRepository } from "./identity.repository.ts";
import { hashPassword, refuseCommonPassword, verifyPassword } from "./passwords.ts";

const DAY = 86_400_000;
/** A session ends after this time whatever happens, and after a shorter one without use. */
export const SESSION_LIFETIME = 30 * DAY;
export const SESSION_IDLE = 14 * DAY;
const SETUP_LIFETIME = 7 * DAY;
const SETUP = "setup";

export type Visitor = { ip: string; userAgent: string | undefined };
export type StartedSession = { userId: string; secret: string; expiresAt: Date };

type Deps = { identity: IdentityRepository; clock: Clock; ids: Ids; random?: RandomBytes };

export function createIdentity({ identity, clock, ids, random }: Deps) {
  async function startSession(userId: string, visitor: Visitor): Promise<StartedSession> {
    const secret = newSecret("ses", random);
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + SESSION_LIFETIME);
    await identity.createSession({
      id: ids.next("ses"),
      secretHash: hashSecret(secret),
      userId,
      expiresAt,
      now,
      ...visitor,
    });
    return { userId, secret, expiresAt };
  }

  async function createAccount(email: string, password: string, isAdmin: boolean): Promise<string> {
    refuseCommonPassword(password, email);
    const name = email.slice(0, email.indexOf("@"));
    const account = {
      email,
      username: usernameFrom(name),
      name,
      passwordHash: await hashPassword(password),
      isAdmin,
      verifiedAt: clock.now(),
    };
    const userId = await identity.create(account);
    if (userId === null) throw emailTaken();
    return userId;
  }

  return {
    /** Makes an account and signs in. */
    async register(email: string, password: string, visitor: Visitor): Promise<StartedSession> {
      return startSession(await createAccount(email, password, false), visitor);
    },

    async login(email: string, password: string, visitor: Visitor): Promise<StartedSession> {
      const user = await identity.findByEmail(email);
      const right = await verifyPassword(password, user?.password_hash ?? null);
      if (!user || !right) throw new AppError(401, "wrong_credentials", "E-mail or password is wrong.");
      if (user.suspended_at)
        throw new AppError(401, "account_suspended", "This account is suspended. Ask the operator of this site.");
      return startSession(user.id, visitor);
    },

    logout: (sessionId: string) => identity.revokeSession(sessionId, clock.now()),

    /** Makes the first admin from the settings. Does nothing when there is an admin. */
    async ensureAdmin(email: string, password: string): Promise<void> {
      if (await identity.hasAdmin()) return;
      await createAccount(email, password, true);
    },

    /** The token of a link with which the first admin is made, or null when there is one. Earlier links end. */
    async openSetup(): Promise<string | null> {
      if (await identity.hasAdmin()) return null;
      await identity.discardOneTimeTokens(SETUP);
      const secret = newSecret("one", random);
      await identity.createOneTimeToken({
        secretHash: hashSecret(secret),
        purpose: SETUP,
        expiresAt: new Date(clock.now().getTime() + SETUP_LIFETIME),
      });
      return secret;
    },

    async setup(token: string, email: string, password: string, visitor: Visitor): Promise<StartedSession> {
      refuseCommonPassword(password, email);
      if (await identity.findByEmail(email)) throw emailTaken();
      const used = await identity.useOneTimeToken(hashSecret(token), SETUP, clock.now());
      if (!used)
        throw new AppError(
          400,
          "invalid_token",
          "This link was used or has ended. Start the server again for a new one.",
          { param: "token" },
        );
      return startSession(await createAccount(email, password, true), visitor);
    },
  };
}

export type Identity = ReturnType<typeof createIdentity>;

export function sessionEnded(): AppError {
  return unauthorized("The session has ended. Log in again.", "session_ended");
}

function emailTaken(): AppError {
  const message = "There is an account with this e-mail already. Log in instead.";
  return new AppError(409, "email_taken", message, {
    param: "email",
    details: { fields: [{ field: "email", message }] },
  });
}

/** Letters, digits, `_` and `-`, at least three of them. */
function usernameFrom(name: string): string {
  const cleaned = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replace(/^[-_]+/, "")
    .slice(0, 24);
  return cleaned.length >= 3 ? cleaned : `user-${cleaned}`.replace(/-$/, "");
}
