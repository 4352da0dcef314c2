import type { Actor } from "../../http/actor.ts";
import type { IdentityRepository } from "../identity/identity.repository.ts";
import type { CurrentPlan } from "../plans/plans.repository.ts";
import type { RouteRuleRow, RouteRulesRepository } from "./route-rules.repository.ts";
import { holds, type Visitor } from "./rules.ts";

type Deps = {
  routeRules: Pick<RouteRulesRepository, "list">;
  identities: Pick<IdentityRepository, "findWithOrganization">;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
};

/** Returns the rules that apply to a path, in order of precedence. */
export type RulesAt = (path: string) => RouteRuleRow[];
/** Returns the lookup of rules for a caller. */
export type RuleLookup = (actor: Actor) => Promise<RulesAt>;

/** Reads the rules and the caller's context once; the returned function can be called for any number of paths. */
export function createRuleLookup({ routeRules, identities, currentPlan }: Deps): RuleLookup {
  async function visitorOf(actor: Actor): Promise<Visitor> {
    if (actor.kind === "anonymous") return { signedIn: false };
    const [user, current] = await Promise.all([
      identities.findWithOrganization(actor.userId),
      currentPlan(actor.organizationId),
    ]);
    return { signedIn: true, plan: current.plan.id, emailVerified: user?.email_verified_at != null };
  }

  return async (actor) => {
    const rules = await routeRules.list();
    if (rules.length === 0) return () => [];
    const visitor = await visitorOf(actor);
    return (path) => rules.filter((rule) => holds(rule, path, visitor));
  };
}
