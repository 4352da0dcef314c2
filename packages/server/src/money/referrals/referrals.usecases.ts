import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { Audit } from "../../platform/core/audit.ts";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { lockOrganizationsForKeyShare, lockUsers } from "../../platform/core/db/locks.ts";
import { AppError, errors } from "../../platform/core/errors/index.ts";
import type { RandomBytes } from "../../platform/core/secrets/secrets.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import { normalizeEmail } from "../billing/index.ts";
import { hasCommonCard } from "./common-card.ts";
import { type CommonGround, selfReferral } from "./referrals.errors.ts";

type Deps = {
  db: Database;
  audit: Audit;
  clock: Clock;
  log: Pick<Logger, "error">;
  publicUrl: string;
  random?: RandomBytes;
};
type Person = { userId: string; emailLower: string; createdAt: Date; organizationId: string };

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ23456789";
const CODE = /^[A-Z2-9]{8}$/;
const REFERRER_WINDOW_DAYS = 30;

/** Referral codes, and who referred whom. */
export function createReferrals(deps: Deps) {
  return bind(deps, {
    setReferrer,
    onRegistered,
    getReferralLink,
    setRewardMethod,
  });
}

export type ReferralUseCases = ReturnType<typeof createReferrals>;

async function getOrCreateCode(deps: Deps, userId: string): Promise<string> {
  const { db, random = randomBytes } = deps;
  for (;;) {
    const row = await db.selectFrom("referral_codes").select("code").where("user_id", "=", userId).executeTakeFirst();
    if (row) return row.code;
    // Inserts nothing when another user has the code, or when a concurrent request gave this user one.
    await db
      .insertInto("referral_codes")
      .values({ user_id: userId, code: createCode(random) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Returns a user with the organization they joined first, which was created at sign-up. Throws `createError()`. */
async function getPerson(userId: string, createError: () => AppError, trx: Database): Promise<Person> {
  const row = await trx
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .select(["users.id as userId", "email_lower as emailLower", "users.created_at as createdAt"])
    .select("memberships.organization_id as organizationId")
    .where("users.id", "=", userId)
    .orderBy("memberships.created_at")
    .orderBy("memberships.position")
    .limit(1)
    .executeTakeFirst();
  if (!row) throw createError();
  return row;
}

async function findCodeOwner(code: string, trx: Database): Promise<string> {
  const normalizedCode = code.trim().toUpperCase();
  const row = CODE.test(normalizedCode)
    ? await trx.selectFrom("referral_codes").select("user_id").where("code", "=", normalizedCode).executeTakeFirst()
    : undefined;
  if (!row) throw errors.referrals.unknownCode();
  return row.user_id;
}

async function isReferredBy(userId: string, referrerId: string, trx: Database): Promise<boolean> {
  const row = await trx
    .selectFrom("referrals")
    .select("referred_user_id")
    .where("referred_user_id", "=", userId)
    .where("referrer_user_id", "=", referrerId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns why two users are probably the same person; null if nothing says so. */
async function findCommonGround(one: Person, other: Person, trx: Database): Promise<CommonGround | null> {
  if (one.userId === other.userId) return "account";
  if (normalizeEmail(one.emailLower) === normalizeEmail(other.emailLower)) return "address";
  const sharedMembership = await trx
    .selectFrom("memberships as a")
    .innerJoin("memberships as b", "b.organization_id", "a.organization_id")
    .select("a.user_id")
    .where("a.user_id", "=", one.userId)
    .where("b.user_id", "=", other.userId)
    .limit(1)
    .executeTakeFirst();
  if (sharedMembership !== undefined) return "organization";
  return (await hasCommonCard(one.organizationId, other.organizationId, trx)) ? "card" : null;
}

async function refuseAfterPayment({ organizationId }: Person, trx: Database): Promise<void> {
  const paidInvoice = await trx
    .selectFrom("invoices")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("status", "=", "paid")
    .where("total_cents", ">", 0)
    .limit(1)
    .executeTakeFirst();
  if (paidInvoice) throw errors.referrals.afterPayment();
}

async function setReferrer(
  deps: Deps,
  by: { actor: SignedInActor } | { userId: string; ip: string },
  code: string,
): Promise<void> {
  const { db, audit, clock } = deps;
  const { userId } = "actor" in by ? by.actor : by;
  await db.transaction().execute(async (trx) => {
    const referrerId = await findCodeOwner(code, trx);
    // Locks both users, so that two who name each other at once cannot both succeed.
    await lockUsers([userId, referrerId], trx);
    const referrer = await getPerson(referrerId, errors.referrals.unknownCode, trx);
    const referred = await getPerson(userId, errors.unauthorized, trx);
    await lockOrganizationsForKeyShare([referred.organizationId, referrer.organizationId], trx);
    const commonGround = await findCommonGround(referred, referrer, trx);
    if (commonGround !== null) throw selfReferral(commonGround);
    if (await isReferredBy(referrerId, userId, trx)) throw errors.referrals.mutual();
    const existing = await trx
      .selectFrom("referrals")
      .select("referred_user_id")
      .where((eb) =>
        eb.or([eb("referred_user_id", "=", userId), eb("referred_organization_id", "=", referred.organizationId)]),
      )
      .executeTakeFirst();
    if (existing) throw errors.referrals.alreadySet();
    if (clock.now().getTime() - referred.createdAt.getTime() > REFERRER_WINDOW_DAYS * DAY_MS)
      throw errors.referrals.tooLate({ days: REFERRER_WINDOW_DAYS });
    await refuseAfterPayment(referred, trx);
    const inserted = await trx
      .insertInto("referrals")
      .values({
        referred_user_id: userId,
        referrer_user_id: referrer.userId,
        referred_organization_id: referred.organizationId,
        referrer_organization_id: referrer.organizationId,
        created_at: clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows === 0n) throw errors.referrals.alreadySet();
    await audit.record(
      {
        ...("actor" in by ? by : { ...by, organizationId: referred.organizationId }),
        action: "referral.set_referrer",
        target: userId,
        details: { referrer: referrer.userId },
      },
      trx,
    );
  });
}

async function onRegistered(
  deps: Deps,
  { userId }: { userId: string },
  { referrer, ip }: { referrer: string | null; ip: string },
): Promise<void> {
  const { log } = deps;
  if (referrer === null) return;
  try {
    await setReferrer(deps, { userId, ip }, referrer);
  } catch (error) {
    // An invalid code must not prevent the sign-up.
    if (!(error instanceof AppError)) log.error({ err: error, user_id: userId }, "a referrer could not be set");
  }
}

async function getReferralLink(deps: Deps, userId: string): Promise<{ code: string; url: string }> {
  const { publicUrl } = deps;
  const code = await getOrCreateCode(deps, userId);
  return { code, url: `${publicUrl}/register?referrer=${code}` };
}

/** Sets how a user is rewarded for referrals: affiliates earn commission, others credits. */
async function setRewardMethod(
  { db, audit }: Deps,
  actor: SignedInActor,
  userId: string,
  method: "credits" | "commission",
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable("users")
      .set({ referral_reward_method: method })
      .where("id", "=", userId)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) throw errors.users.notFound();
    await audit.record({ actor, action: "users.set_referral_reward", target: userId, details: { method } }, trx);
  });
}

/** Creates a random code without bias: bytes beyond the last multiple of the alphabet's length are skipped. */
function createCode(random: RandomBytes): string {
  const limit = 256 - (256 % ALPHABET.length);
  let code = "";
  while (code.length < 8)
    code += [...random(16)]
      .filter((byte) => byte < limit)
      .map((byte) => ALPHABET[byte % ALPHABET.length])
      .join("");
  return code.slice(0, 8);
}
