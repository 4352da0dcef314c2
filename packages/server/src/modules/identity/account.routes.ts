import { Readable } from "node:stream";
import type { paths as Paths } from "@feather/openapi/schema";
import type { Database } from "../../db/connect.ts";
import { impersonatorOf, type SignedIn, signedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Handlers } from "../../http/bind.ts";
import type { DeviceCookie } from "../../http/device-cookie.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import type { Clock } from "../../shared/clock.ts";
import type { ReadLog } from "../audit/read-log.ts";
import type { createDeletionPreview, DeletedOrganization } from "./account.deletion.ts";
import { exportAccount } from "./account.export.ts";
import type { AccountUseCases } from "./account.usecases.ts";
import type { UserPresenter } from "./user.present.ts";

type Deps = {
  db: Database;
  account: AccountUseCases;
  readings: ReadLog;
  previewDeletion: ReturnType<typeof createDeletionPreview>;
  limits: AddressLimits;
  presentUser: UserPresenter;
  sessionCookie: SessionCookie;
  deviceCookie: DeviceCookie;
  clock: Clock;
};

/** Handlers of the caller's account: profile, deletion and export. */
export function accountRoutes(deps: Deps): Handlers {
  const { db, account, previewDeletion, readings, limits, presentUser, sessionCookie, deviceCookie, clock } = deps;
  const present = (user: SignedIn) =>
    presentUser(user.userId, { organizationId: user.organizationId, impersonatedBy: impersonatorOf(user) });

  return {
    "account.update": async ({ actor, body, request }) => {
      const user = signedIn(actor);
      if (body.email !== undefined) await limits.spend("login", request.ip, user.userId);
      await account.update(user, body);
      return present(user);
    },

    "account.delete": async ({ actor, body, request, reply }) => {
      const user = signedIn(actor);
      await limits.spend("login", request.ip, user.userId);
      await account.delete(user, body.password);
      sessionCookie.clear(reply);
      deviceCookie.clear(reply);
      return undefined;
    },

    "account.previewDeletion": async ({ actor }) => {
      const { deleted, left } = await previewDeletion(signedIn(actor).userId);
      return { organizations_deleted: deleted.map(toDeletedOrganizationDto), organizations_left: left };
    },

    "account.export": async ({ actor, reply }) => {
      const user = signedIn(actor);
      reply.header("content-disposition", 'attachment; filename="account.json"').header("cache-control", "no-store");
      await readings.record({ actor: user, action: "account.export", target: user.userId });
      const head = { exported_at: clock.now().toISOString(), user: await present(user) };
      return reply.type("application/json").send(Readable.from(exportAccount(db, user.userId, head)));
    },
  };
}

type DeletedOrganizationDto =
  Paths["/account/deletion"]["get"]["responses"][200]["content"]["application/json"]["organizations_deleted"][number];

function toDeletedOrganizationDto(one: DeletedOrganization): DeletedOrganizationDto {
  const { id, name, plan } = one;
  return {
    id,
    name,
    credits_nano_usd: String(one.creditsNano),
    balance_cents: one.balanceCents,
    commission_nano_usd: String(one.commissionNano),
    paid_plan: plan && {
      plan_id: plan.planId,
      plan_name: plan.planName,
      quantity: plan.quantity,
      period_end_date: plan.periodEnd.toISOString(),
      unused_cents: plan.creditedCents,
    },
    deployments: one.deployments,
    private_models: one.privateModels,
    api_keys: one.apiKeys,
  };
}
