import type { CurrentPlan } from "../../money/plans/index.ts";
import type { Actor } from "../../platform/core/auth/actor.ts";
import type { UsersRepository } from "../identity/index.ts";
import type { RouteRuleRow, RouteRulesRepository } from "./route-rules.repository.ts";
import { type RuleContext, ruleApplies } from "./rules.ts";

type Deps = {
  routeRulesRepository: Pick<RouteRulesRepository, "list">;
  usersRepository: Pick<UsersRepository, "findWithOrganization">;
  currentPlan(organizationId: string): Promise<CurrentPlan>;
};

/** Returns the rules that apply to a path, in order of precedence. */
export type RulesForPath = (path: string) => RouteRuleRow[];
/** Returns the lookup of rules for a caller. */
export type RuleLookup = (actor: Actor) => Promise<RulesForPath>;

/** Reads the rules and the caller's context once; the returned function can be called for any number of paths. */
export function createRuleLookup({ routeRulesRepository, usersRepository, currentPlan }: Deps): RuleLookup {
  async function createRuleContext(actor: Actor): Promise<RuleContext> {
    if (actor.kind === "anonymous") return { signedIn: false };
    const [user, current] = await Promise.all([
      usersRepository.findWithOrganization(actor.userId),
      currentPlan(actor.organizationId),
    ]);
    return { signedIn: true, plan: current.plan.id, emailVerified: user?.email_verified_at != null };
  }

  return async (actor) => {
    const rules = await routeRulesRepository.list();
    if (rules.length === 0) return () => [];
    const context = await createRuleContext(actor);
    return (path) => rules.filter((rule) => ruleApplies(rule, path, context));
  };
}
