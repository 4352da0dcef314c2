import type { components } from "@feather/openapi/schema";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { RouteRuleFields, RouteRuleRow, RouteRulesRepository } from "./route-rules.repository.ts";
import type { RuleLookup } from "./rule-lookup.ts";
import { validateRule } from "./rules.ts";

type RouteRule = components["schemas"]["RouteRule"];
type Input = components["schemas"]["RouteRuleInput"];
type Deps = {
  routeRulesRepository: RouteRulesRepository;
  rulesFor: RuleLookup;
  audit: Audit;
  clock: Clock;
  ids: Ids;
};

/** Handlers of redirect rules. */
export function routeRuleRoutes({ routeRulesRepository, rulesFor, audit, clock, ids }: Deps): Handlers {
  return {
    "system.routeRules": async ({ actor, query }) => {
      const rulesAt = await rulesFor(actor);
      return { rules: rulesAt(query.path).map(toRouteRuleDto) };
    },

    "admin.routeRules.list": async () => ({ items: (await routeRulesRepository.list()).map(toRouteRuleDto) }),

    "admin.routeRules.create": async ({ actor, body }) => {
      const fields = toFields(body);
      const row = await routeRulesRepository.create(ids.next("rule"), fields, body.position, clock.now());
      if (!row) throw errors.routeRules.notFound();
      await audit.record({
        actor: actor,
        action: "route_rules.create",
        target: row.id,
        details: fields,
      });
      return toRouteRuleDto(row);
    },

    "admin.routeRules.update": async ({ actor, path, body }) => {
      const fields = toFields(body);
      const row = await routeRulesRepository.update(path.id, fields, body.position);
      if (!row) throw errors.routeRules.notFound();
      await audit.record({
        actor: actor,
        action: "route_rules.update",
        target: row.id,
        details: fields,
      });
      return toRouteRuleDto(row);
    },

    "admin.routeRules.delete": async ({ actor, path }) => {
      if (!(await routeRulesRepository.delete(path.id))) throw errors.routeRules.notFound();
      await audit.record({ actor: actor, action: "route_rules.delete", target: path.id });
      return undefined;
    },
  };
}

function toFields({ path_glob, redirect_to, status, external, when }: Input): RouteRuleFields {
  const fields = {
    path_glob,
    redirect_to,
    status: status ?? 302,
    external: external ?? false,
    when_auth: when?.auth ?? null,
    when_plan: when?.plan ?? null,
    when_email_verified: when?.email_verified ?? null,
  };
  validateRule(fields);
  return fields;
}

function toRouteRuleDto(row: RouteRuleRow): RouteRule {
  const { id, position, path_glob, redirect_to, external } = row;
  const when = { auth: row.when_auth, plan: row.when_plan, email_verified: row.when_email_verified };
  return { id, position, path_glob, redirect_to, status: row.status as RouteRule["status"], external, when };
}
