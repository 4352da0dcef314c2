import type { Updateable } from "kysely";
import type { Database } from "../../db/connect.ts";
import type { Users } from "../../db/schema.generated.ts";
import type { SignedIn } from "../../http/actor.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError, invalidRequest, notFound } from "../../shared/errors.ts";
import type { Audit } from "../audit/audit.ts";
import { presentSettlement } from "../billing/billing.present.ts";
import type { Billing } from "../billing/billing.ts";
import type { Settlement } from "../billing/settlements.ts";
import type { Proof } from "../identity/proof.ts";
import type { SecondFactor } from "../identity/second-factor.ts";
import type { Mail } from "../mail/mail.ts";
import { sendGrantMail } from "./grant-mail.ts";
import type { PeopleRepository, PersonRow } from "./people.repository.ts";

type AdminUserUpdate = {
  suspended?: boolean;
  reason?: string;
  is_admin?: boolean;
  email_verified?: boolean;
  plan_id?: string;
  quantity?: number;
};

type Deps = {
  db: Database;
  people: PeopleRepository;
  audit: Audit;
  clock: Clock;
  prove: Proof;
  secondFactor: Pick<SecondFactor, "reset">;
  billing: Pick<Billing, "grantPlan" | "settlementOf">;
  mail: Mail;
  publicUrl: string;
  productName: string;
  forgetPlan(organizationId: string): void;
  forgetKeys(): void;
};

/** Creates the use cases with which admins manage users. */
export function createPeople(deps: Deps) {
  const { db, people, audit, clock, prove, secondFactor, billing, forgetPlan, forgetKeys } = deps;

  function columns(change: AdminUserUpdate, now: Date): Updateable<Users> {
    const { suspended, reason, is_admin, email_verified } = change;
    return {
      updated_at: now,
      ...(suspended !== undefined && {
        suspended_at: suspended ? now : null,
        suspension_reason: suspended ? (reason ?? null) : null,
      }),
      ...(is_admin !== undefined && { is_admin }),
      ...(email_verified !== undefined && { email_verified_at: email_verified ? now : null }),
    };
  }

  /** Puts the user's organization on a plan and mails its admin. Returns details for the audit log. */
  async function grant(id: string, { plan_id, quantity = 1 }: AdminUserUpdate, trx: Database): Promise<object> {
    const organization = await people.organizationOf(id, trx);
    if (plan_id === undefined || !organization) return {};
    const organizationId = organization.organization_id;
    const { plan, settlement } = await billing.grantPlan({ organizationId, planId: plan_id, quantity }, trx);
    await sendGrantMail({ organizationId, plan, quantity, settlement }, deps, trx);
    return settlement === null ? {} : { ended_plan: presentSettlement(settlement) };
  }

  return {
    async find(id: string): Promise<PersonRow> {
      const row = await people.find(id, clock.now());
      if (!row) throw noSuchUser();
      return row;
    },

    /** Removes all second factors of a user who lost them. The admin has to reauthenticate. Throws 409 if there is none. */
    async resetSecondFactor(actor: SignedIn, id: string, given: { reason: string; password?: string }): Promise<void> {
      if (id === actor.userId)
        throw new AppError(409, "users.yourself", "You cannot reset your own second factor. Switch it off instead.");
      const admin = await this.find(actor.userId);
      await prove(actor, { hash: admin.password_hash, password: given.password, field: "password" });
      await this.find(id);
      if (!(await secondFactor.reset(actor, id, given.reason.trim())))
        throw new AppError(409, "users.no_second_factor", "This account has no second factor.");
    },

    /** Returns which paid plan a grant would end and what it would refund; null if the user's organization pays for none. */
    async grantPreview(id: string): Promise<Settlement | null> {
      const { organization_id } = await this.find(id);
      return organization_id === null ? null : billing.settlementOf(organization_id);
    },

    /** Changes a user in one transaction. Throws 404 for unknown users and 409 for the last admin or oneself. */
    async update(actor: SignedIn, id: string, change: AdminUserUpdate): Promise<void> {
      const { suspended, reason, is_admin } = change;
      if (suspended === true && reason === undefined)
        throw invalidRequest("reason is required to suspend an account.", { param: "reason" });
      const now = clock.now();
      const organizationId = await db.transaction().execute(async (trx) => {
        const { user, hasOtherAdmin } = await people.lockWithAdmins(id, trx);
        if (!user) throw noSuchUser();
        if (suspended === true && id === actor.userId) throw yourself();
        const endsAdmin = user.is_admin && (suspended === true || is_admin === false);
        if (endsAdmin && !hasOtherAdmin) throw lastAdmin();
        await people.update(id, columns(withoutRepeats(change, user), now), trx);
        if (suspended === true) await people.endSessions(id, now, trx);
        const granted = await grant(id, change, trx);
        await audit.record({ actor, action: "users.update", target: id, details: { ...change, ...granted } }, trx);
        return (await people.organizationOf(id, trx))?.organization_id;
      });
      forgetKeys();
      if (organizationId !== undefined) forgetPlan(organizationId);
    },
  };
}

/** Manages users for admins. */
export type People = ReturnType<typeof createPeople>;

type Before = { suspended_at: Date | null; email_verified_at: Date | null };

/** Leaves out changes that change nothing, so that the stored dates stay. */
function withoutRepeats(change: AdminUserUpdate, before: Before): AdminUserUpdate {
  const { suspended, email_verified, ...rest } = change;
  const repeatsEmail = email_verified === (before.email_verified_at !== null);
  const repeatsSuspension = suspended === (before.suspended_at !== null) && suspended === false;
  return {
    ...rest,
    ...(suspended !== undefined && !repeatsSuspension && { suspended }),
    ...(email_verified !== undefined && !repeatsEmail && { email_verified }),
  };
}

/** 404 for an unknown user id. */
export function noSuchUser(): AppError {
  return notFound("There is no user with this id.", "users.not_found");
}

function yourself(): AppError {
  return new AppError(409, "users.yourself", "You cannot suspend your own account.");
}

function lastAdmin(): AppError {
  return new AppError(409, "users.last_admin", "This is the last admin. Make somebody else an admin first.");
}
