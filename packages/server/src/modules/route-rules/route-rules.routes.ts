import type { components } from "@feather/openapi/schema";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import type { Clock } from "../../shared/clock.ts";
import { notFound } from "../../shared/errors.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Audit } from "../audit/audit.ts";
import type { RouteRuleFields, RouteRuleRow, RouteRulesRepository } from "./route-rules.repository.ts";
import type { RuleLookup } from "./rule-lookup.ts";
import { refuseImpossible } from "./rules.ts";

type RouteRule = components["schemas"]["RouteRule"];
type Input = components["schemas"]["RouteRuleInput"];
type Deps = {
  routeRules: RouteRulesRepository;
  rulesFor: RuleLookup;
  audit: Audit;
  clock: Clock;
  ids: Ids;
};

/** Handlers of redirect rules. */
export function routeRuleRoutes({ routeRules, rulesFor, audit, clock, ids }: Deps): Handlers {
  return {
    "system.routeRules": async ({ actor, query }) => {
      const rulesAt = await rulesFor(actor);
      return { rules: rulesAt(query.path).map(present) };
    },

    "admin.routeRules.list": async () => ({ items: (await routeRules.list()).map(present) }),

    "admin.routeRules.create": async ({ actor, body }) => {
      const fields = fieldsOf(body);
      const row = await routeRules.create(ids.next("rule"), fields, body.position, clock.now());
      if (!row) throw noSuchRule();
      await audit.record({ actor: signedIn(actor), action: "route_rules.create", target: row.id, details: fields });
      return present(row);
    },

    "admin.routeRules.update": async ({ actor, path, body }) => {
      const fields = fieldsOf(body);
      const row = await routeRules.update(path.id, fields, body.position);
      if (!row) throw noSuchRule();
      await audit.record({ actor: signedIn(actor), action: "route_rules.update", target: row.id, details: fields });
      return present(row);
    },

    "admin.routeRules.delete": async ({ actor, path }) => {
      if (!(await routeRules.delete(path.id))) throw noSuchRule();
      await audit.record({ actor: signedIn(actor), action: "route_rules.delete", target: path.id });
      return undefined;
    },
  };
}

function fieldsOf({ path_glob, redirect_to, status, external, when }: Input): RouteRuleFields {
  const fields = {
    path_glob,
    redirect_to,
    status: status ?? 302,
    external: external ?? false,
    when_auth: when?.auth ?? null,
    when_plan: when?.plan ?? null,
    when_email_verified: when?.email_verified ?? null,
  };
  refuseImpossible(fields);
  return fields;
}

function present(row: RouteRuleRow): RouteRule {
  const { id, position, path_glob, redirect_to, external } = row;
  const when = { auth: row.when_auth, plan: row.when_plan, email_verified: row.when_email_verified };
  return { id, position, path_glob, redirect_to, status: row.status as RouteRule["status"], external, when };
}

function noSuchRule() {
  return notFound("There is no redirect rule with this id.", "route_rules.not_found");
}
