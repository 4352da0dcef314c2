import type { components } from "@feather/openapi/schema";
import { signedIn } from "../../http/actor.ts";
import type { AddressLimits } from "../../http/address-limits.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import { SESSION_COOKIE, type SessionCookie } from "../../http/session-cookie.ts";
import type { Clock } from "../../shared/clock.ts";
import { invalidRequest } from "../../shared/errors.ts";
import type { ReadLog } from "../audit/read-log.ts";
import { presentSettlement } from "../billing/billing.present.ts";
import type { UserPresenter } from "../identity/user.present.ts";
import type { Approvals } from "../registration/approvals.ts";
import type { Impersonation } from "./impersonation.ts";
import type { PeopleRepository, PersonRow } from "./people.repository.ts";
import type { People } from "./people.usecases.ts";

type AdminUser = components["schemas"]["AdminUser"];
type Deps = {
  people: People;
  peopleRepository: PeopleRepository;
  approvals: Approvals;
  impersonation: Impersonation;
  presentUser: UserPresenter;
  sessionCookie: SessionCookie;
  readings: ReadLog;
  limits: AddressLimits;
  clock: Clock;
};

/** Handlers with which admins manage users and act as them. */
export function peopleRoutes(deps: Deps): Handlers {
  const { people, peopleRepository, approvals, impersonation, presentUser, sessionCookie, readings, limits, clock } =
    deps;
  return {
    "admin.users.list": async ({ query }) => {
      const { page: _, perPage: __, per_page: ___, sort, ...filter } = query;
      const { created_from_date: from, created_to_date: to } = filter;
      if (from !== undefined && to !== undefined && from > to)
        throw invalidRequest("created_from_date is not valid: it lies behind created_to_date.", {
          param: "created_from_date",
        });
      const page = pageOf(query);
      const { rows, total } = await peopleRepository.list(filter, sort ?? "-created_at", page, clock.now());
      return { items: rows.map(present), pagination: pagination(page, total) };
    },

    "admin.users.get": async ({ actor, path }) => {
      const person = await people.find(path.id);
      await readings.record({ actor: signedIn(actor), action: "users.read", target: person.id });
      return present(person);
    },

    "admin.users.update": async ({ actor, path, body }) => {
      await people.update(signedIn(actor), path.id, body);
      return present(await people.find(path.id));
    },

    "admin.users.previewGrant": async ({ path }) => {
      const settlement = await people.grantPreview(path.id);
      return { ended_plan: settlement && presentSettlement(settlement) };
    },

    "admin.users.resetSecondFactor": async ({ actor, path, body, request }) => {
      const admin = signedIn(actor);
      await limits.spend("login", request.ip, admin.userId);
      await people.resetSecondFactor(admin, path.id, body);
      return undefined;
    },

    "admin.users.approve": async ({ actor, path }) => {
      await people.find(path.id);
      await approvals.approve(signedIn(actor), path.id);
      return present(await people.find(path.id));
    },

    "admin.users.refuse": async ({ actor, path, body }) => {
      await people.find(path.id);
      await approvals.refuse(signedIn(actor), path.id, body.reason?.trim() || null);
      return undefined;
    },

    "admin.users.impersonate": async ({ actor, path, body, request, reply }) => {
      const admin = signedIn(actor);
      if (body.password !== undefined) await limits.spend("login", request.ip, admin.userId);
      const wish = { userId: path.id, reason: body.reason, password: body.password };
      const visitor = { ip: request.ip, userAgent: request.headers["user-agent"] };
      const granted = await impersonation.start(admin, wish, visitor);
      sessionCookie.grant(reply, granted);
      sessionCookie.markImpersonation(reply, granted);
      const user = await presentUser(granted.userId, { impersonatedBy: admin.userId });
      return { user, expires_at: granted.expiresAt.toISOString() };
    },

    "admin.stopImpersonation": async ({ actor, request, reply }) => {
      const byCookie = request.cookies[SESSION_COOKIE] !== undefined;
      const own = await impersonation.stop(signedIn(actor), byCookie);
      sessionCookie.unmarkImpersonation(reply);
      if (own) sessionCookie.grant(reply, own);
      else if (byCookie) sessionCookie.clear(reply);
      return undefined;
    },
  };
}

function present(row: PersonRow): AdminUser {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    name: row.name,
    is_admin: row.is_admin,
    email_verified: row.email_verified_at !== null,
    suspended_at: row.suspended_at?.toISOString() ?? null,
    suspension_reason: row.suspension_reason,
    has_second_factor: row.totp_enabled_at !== null || row.has_passkey,
    approval_requested_at: row.approval_requested_at?.toISOString() ?? null,
    organization_id: row.organization_id ?? "",
    plan_id: row.plan_id,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    requests_30d: row.requests_30d ?? 0,
    created_at: row.created_at.toISOString(),
  };
}
