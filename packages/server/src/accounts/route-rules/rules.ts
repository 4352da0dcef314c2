import { posix } from "node:path";
import { errors } from "../../platform/core/errors/index.ts";
import type { RouteRuleFields } from "./route-rules.repository.ts";

/** The caller's properties that conditions of rules refer to. */
export type RuleContext = { signedIn: false } | { signedIn: true; plan: string; emailVerified: boolean };

/** Returns whether a path matches a glob: `*` is one segment, `**` any number including none. */
export function matchesPath(glob: string, path: string): boolean {
  const normalizedPath = path.length > 1 ? path.replace(/\/+$/, "") : path;
  return posix.matchesGlob(normalizedPath, glob) || posix.matchesGlob(`${normalizedPath}/`, glob);
}

/** Returns whether a rule redirects this caller from this path. A rule never redirects a path to itself. */
export function ruleApplies(rule: RouteRuleFields, path: string, context: RuleContext): boolean {
  if (!matchesPath(rule.path_glob, path)) return false;
  if (!rule.external && normalizePath(rule.redirect_to) === normalizePath(path)) return false;
  if (rule.when_auth !== null && rule.when_auth !== context.signedIn) return false;
  if (rule.when_plan !== null && !(context.signedIn && context.plan === rule.when_plan)) return false;
  if (rule.when_email_verified === null) return true;
  return context.signedIn && context.emailVerified === rule.when_email_verified;
}

/**
 * Throws `invalid_request` for rules that cannot work: a wrong `external`, a redirect to itself, contradictory
 * conditions.
 */
export function validateRule(rule: RouteRuleFields): void {
  const isAbsoluteUrl = /^https?:\/\//.test(rule.redirect_to);
  if (isAbsoluteUrl && !URL.canParse(rule.redirect_to))
    throw errors.invalidRequest("redirect_to is not an address.", { param: "redirect_to" });
  if (isAbsoluteUrl !== rule.external)
    throw errors.invalidRequest(
      isAbsoluteUrl
        ? "redirect_to leaves the site: say so with external."
        : "redirect_to is a path of this site, so it is not external.",
      { param: "external" },
    );
  if (!isAbsoluteUrl && rule.redirect_to === rule.path_glob)
    throw errors.invalidRequest("This rule would send the path to itself.", { param: "redirect_to" });
  if (rule.when_auth === false && (rule.when_plan !== null || rule.when_email_verified !== null))
    throw errors.invalidRequest("Only people who are signed in have a plan and an e-mail.", { param: "when" });
}

function normalizePath(address: string): string {
  const path = address.split(/[?#]/)[0] ?? "";
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}
