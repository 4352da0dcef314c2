import { Readable } from "node:stream";
import type { paths as Paths } from "@feather/openapi/schema";
import type { ReadLog } from "../../platform/audit/index.ts";
import { impersonatorOf, type SignedInActor } from "../../platform/core/auth/actor.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { DeviceCookie } from "../../platform/core/http/device-cookie.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import type { SessionCookie } from "../../platform/core/http/session-cookie.ts";
import type { AccountUseCases } from "./account/account.usecases.ts";
import type { createDeletionPreview, DeletedOrganization } from "./account/account-deletion-preview.ts";
import { exportAccount } from "./export/account-export.ts";
import type { Section } from "./export/export-sections.ts";
import type { ToUserDto } from "./users/user.dto.ts";

type Deps = {
  db: Database;
  account: AccountUseCases;
  readLog: ReadLog;
  previewDeletion: ReturnType<typeof createDeletionPreview>;
  limits: RateLimiter;
  toUserDto: ToUserDto;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  clock: Clock;
  /** Returns what is kept of a user's chats and collections, as sections of the export: those that the scopes allow to read. */
  listKept(user: { userId: string; scopes: readonly string[] }): Section[];
};

/** Handlers of the caller's account: profile, deletion and export. */
export function createAccountRoutes(deps: Deps): Handlers {
  const { db, account, previewDeletion, readLog, limits, toUserDto, sessionCookie, deviceCookie, clock, listKept } =
    deps;
  const toCurrentUserDto = (user: SignedInActor) =>
    toUserDto(user.userId, { organizationId: user.organizationId, impersonatedBy: impersonatorOf(user) });

  return {
    "account.update": async ({ actor, body, request }) => {
      const user = actor;
      if (body.email !== undefined) await limits.consume("login", request.ip, user.userId);
      await account.update(user, body);
      return toCurrentUserDto(user);
    },

    "account.delete": async ({ actor, body, request, reply }) => {
      const user = actor;
      await limits.consume("login", request.ip, user.userId);
      await account.delete(user, body.password);
      sessionCookie.clear(reply);
      deviceCookie.clear(reply);
      return undefined;
    },

    "account.previewDeletion": async ({ actor }) => {
      const { deleted, left } = await previewDeletion(actor.userId);
      return { organizations_deleted: deleted.map(toDeletedOrganizationDto), organizations_left: left };
    },

    "account.export": async ({ actor, reply }) => {
      const user = actor;
      reply.header("content-disposition", 'attachment; filename="account.json"').header("cache-control", "no-store");
      await readLog.record({ actor: user, action: "account.export", target: user.userId });
      const head = { exported_at: clock.now().toISOString(), user: await toCurrentUserDto(user) };
      const others = listKept(user);
      return reply.type("application/json").send(Readable.from(exportAccount(db, user.userId, { head, others })));
    },
  };
}

type DeletedOrganizationDto =
  Paths["/account/deletion"]["get"]["responses"][200]["content"]["application/json"]["organizations_deleted"][number];

function toDeletedOrganizationDto(organization: DeletedOrganization): DeletedOrganizationDto {
  const { id, name, plan } = organization;
  return {
    id,
    name,
    currency: organization.currency,
    credits_nano_usd: String(organization.creditsNano),
    balance_cents: organization.balanceCents,
    commission_nano_usd: String(organization.commissionNano),
    paid_plan: plan && {
      plan_id: plan.planId,
      plan_name: plan.planName,
      quantity: plan.quantity,
      period_end_date: plan.periodEnd.toISOString(),
      unused_cents: plan.creditedCents,
    },
    deployments: organization.deployments,
    private_models: organization.privateModels,
    api_keys: organization.apiKeys,
  };
}
