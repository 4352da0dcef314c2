import type { RuleLookup, RulesForPath } from "../accounts/route-rules/index.ts";
import type { Actor } from "../platform/core/auth/actor.ts";
import { toSameOriginPath } from "../platform/core/http/same-origin-path.ts";
import type { Access, BuiltSite } from "./manifest.ts";
import { createRouteMatcher } from "./match-route.ts";

/** The response to a request for a page: the page, a redirect, or 404. */
export type PageDecision =
  | { action: "show" }
  | { action: "missing" }
  | { action: "redirect"; status: number; location: string };
/** Decides about the page at an address: its path, and its query where it has one. */
export type DecideAboutPage = (address: string) => PageDecision;
/** Returns the decisions about all pages for one caller, by the rules as they are now. */
export type PageGuard = (actor: Actor) => Promise<DecideAboutPage>;

const SHOW: PageDecision = { action: "show" };
const LOGIN_PATH = "/login";
/** Query parameters that the site reads on every page. They are moved to the login page, not kept in `returnTo`. */
const SHARED_PARAMETERS = /^(error|referrer|utm_[a-z]+)$/;
/** The number of consecutive redirects after which rules count as a loop. */
const MAX_REDIRECTS = 5;

/**
 * Creates the guard, which decides about requests for pages like the site's own navigation. The operator's redirect rules
 * come first, then access: private pages redirect visitors to the login, and admin pages are 404 for everybody else. Rules
 * that lead to a redirect loop are ignored.
 */
export function createPageGuard(
  { routes, accessByPrefix }: Pick<BuiltSite, "routes" | "accessByPrefix">,
  rulesFor: RuleLookup,
): PageGuard {
  const match = createRouteMatcher(routes, { ignoreCase: true });

  /** Returns who may open a path: what its prefix says, otherwise its route. Unknown paths are public. */
  function accessOf(path: string): Access {
    const lowerCasePath = path.toLowerCase();
    const byPrefix = accessByPrefix.find(({ prefix }) => lowerCasePath.startsWith(prefix));
    return byPrefix?.access ?? match(path)?.route.access ?? "public";
  }

  function guard(address: string, actor: Actor): PageDecision {
    const access = accessOf(pathOf(address));
    if (access === "public") return SHOW;
    if (actor.kind === "anonymous") return { action: "redirect", status: 302, location: toLoginUrl(address) };
    return access === "admin" && !actor.isAdmin ? { action: "missing" } : SHOW;
  }

  /** Returns whether the chain of redirects that starts here ends. */
  function terminates(first: PageDecision, actor: Actor, rulesAt: RulesForPath): boolean {
    let decision = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      if (decision.action !== "redirect" || !decision.location.startsWith("/")) return true;
      decision = applyRule(rulesAt, decision.location) ?? guard(decision.location, actor);
    }
    return false;
  }

  return async (actor) => {
    const rulesAt = await rulesFor(actor);
    return (address) => {
      const ruleDecision = applyRule(rulesAt, address);
      return ruleDecision && terminates(ruleDecision, actor, rulesAt) ? ruleDecision : guard(address, actor);
    };
  };
}

/** Returns the redirect of the first rule that applies; null if its target is invalid. */
function applyRule(rulesAt: RulesForPath, address: string): PageDecision | null {
  const [rule] = rulesAt(pathOf(address));
  if (!rule) return null;
  const location = rule.external ? parseExternalUrl(rule.redirect_to) : toSameOriginPath(rule.redirect_to);
  return location === null ? null : { action: "redirect", status: rule.status, location };
}

function parseExternalUrl(address: string): string | null {
  return /^https?:\/\//.test(address) && URL.canParse(address) ? new URL(address).href : null;
}

/** Returns the URL of the login with the requested page in `returnTo`. Browsers keep the fragment. */
function toLoginUrl(address: string): string {
  const query = new URLSearchParams(address.split("?").slice(1).join("?"));
  const sharedParameters = [...query].filter(([name]) => SHARED_PARAMETERS.test(name));
  const returnTo =
    sharedParameters.length === 0 ? address : withQuery(pathOf(address), withoutParameters(query, sharedParameters));
  return withQuery(LOGIN_PATH, new URLSearchParams([["returnTo", returnTo], ...sharedParameters]));
}

function withoutParameters(query: URLSearchParams, parameters: readonly [string, string][]): URLSearchParams {
  const names = new Set(parameters.map(([name]) => name));
  return new URLSearchParams([...query].filter(([name]) => !names.has(name)));
}

const withQuery = (path: string, query: URLSearchParams) => (query.size === 0 ? path : `${path}?${query}`);
const pathOf = (address: string) => address.split("?")[0] ?? "/";
