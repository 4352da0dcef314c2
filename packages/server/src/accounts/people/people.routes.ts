import type { components } from "@feather/openapi/schema";
import { toEndedPlanDto } from "../../money/billing/index.ts";
import type { ReadLog } from "../../platform/audit/index.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import { SESSION_COOKIE, type SessionCookie } from "../../platform/core/http/session-cookie.ts";
import { type ToUserDto, toClientInfo } from "../identity/index.ts";
import type { ApprovalUseCases } from "../registration/index.ts";
import type { ImpersonationUseCases } from "./impersonation.usecases.ts";
import type { PeopleRepository, PersonRow } from "./people.repository.ts";
import type { PeopleUseCases } from "./people.usecases.ts";

type AdminUser = components["schemas"]["AdminUser"];
type Deps = {
  people: PeopleUseCases;
  peopleRepository: PeopleRepository;
  approvals: ApprovalUseCases;
  impersonation: ImpersonationUseCases;
  toUserDto: ToUserDto;
  sessionCookie: SessionCookie;
  readLog: ReadLog;
  limits: RateLimiter;
  clock: Clock;
};

/** Handlers with which admins manage users and act as them. */
export function createPeopleRoutes(deps: Deps): Handlers {
  const { people, peopleRepository, approvals, impersonation, toUserDto, sessionCookie, readLog, limits, clock } = deps;
  return {
    "admin.users.list": async ({ query }) => {
      const { page: _, perPage: __, per_page: ___, sort, ...filter } = query;
      const { created_from_date: from, created_to_date: to } = filter;
      if (from !== undefined && to !== undefined && from > to)
        throw errors.invalidRequest("created_from_date is not valid: it lies behind created_to_date.", {
          param: "created_from_date",
        });
      const page = parsePage(query);
      const { rows, total } = await peopleRepository.list(filter, sort ?? "-created_at", page, clock.now());
      return { items: rows.map(toAdminUserDto), pagination: toPagination(page, total) };
    },

    "admin.users.get": async ({ actor, path }) => {
      const person = await people.get(path.id);
      await readLog.record({ actor: actor, action: "users.read", target: person.id });
      return toAdminUserDto(person);
    },

    "admin.users.update": async ({ actor, path, body, request }) => {
      if (body.password !== undefined) await limits.consume("login", request.ip, actor.userId);
      await people.update(actor, path.id, body);
      return toAdminUserDto(await people.get(path.id));
    },

    "admin.users.previewGrant": async ({ path }) => {
      const settlement = await people.previewGrant(path.id);
      return { ended_plan: settlement && toEndedPlanDto(settlement) };
    },

    "admin.users.resetSecondFactor": async ({ actor, path, body, request }) => {
      const admin = actor;
      await limits.consume("login", request.ip, admin.userId);
      await people.resetSecondFactor(admin, path.id, body);
      return undefined;
    },

    "admin.users.approve": async ({ actor, path }) => {
      await people.get(path.id);
      await approvals.approve(actor, path.id);
      return toAdminUserDto(await people.get(path.id));
    },

    "admin.users.refuse": async ({ actor, path, body }) => {
      await people.get(path.id);
      await approvals.refuse(actor, path.id, body.reason?.trim() || null);
      return undefined;
    },

    "admin.users.impersonate": async ({ actor, path, body, request, reply }) => {
      const admin = actor;
      if (body.password !== undefined) await limits.consume("login", request.ip, admin.userId);
      const impersonationRequest = { userId: path.id, reason: body.reason, password: body.password };
      const session = await impersonation.start(admin, impersonationRequest, toClientInfo(request));
      sessionCookie.grant(reply, session);
      sessionCookie.markImpersonation(reply, session);
      const user = await toUserDto(session.userId, { impersonatedBy: admin.userId });
      return { user, expires_at: session.expiresAt.toISOString() };
    },

    "admin.stopImpersonation": async ({ actor, request, reply }) => {
      const usesCookie = request.cookies[SESSION_COOKIE] !== undefined;
      const ownSession = await impersonation.stop(actor, usesCookie);
      sessionCookie.unmarkImpersonation(reply);
      if (ownSession) sessionCookie.grant(reply, ownSession);
      else if (usesCookie) sessionCookie.clear(reply);
      return undefined;
    },
  };
}

function toAdminUserDto(row: PersonRow): AdminUser {
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
    organization_name: row.organization_name ?? "",
    plan_id: row.plan_id,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    requests_30d: row.requests_30d ?? 0,
    created_at: row.created_at.toISOString(),
  };
}
