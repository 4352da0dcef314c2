import type { Actor } from "../http/actor.ts";
import { sameOriginPath } from "../http/same-origin-path.ts";
import type { RuleLookup, RulesAt } from "../modules/route-rules/rule-lookup.ts";
import type { SiteRoute } from "./manifest.ts";
import { routeMatcher } from "./match-route.ts";

/** How a request for a page is answered: with the page, a redirect, or 404. */
export type PageDecision =
  | { action: "show" }
  | { action: "missing" }
  | { action: "redirect"; status: number; location: string };

const SHOW: PageDecision = { action: "show" };
const UNGUARDED = /^\/(api|cms)/i;
const ADMIN = /^\/admin/i;
const LOGIN = "/login";
/**
 * Query parameters that the site reads on every page. They move to the login page instead of being kept in `returnTo`.
 */
const PARAMETERS_OF_ANY_PAGE = /^(error|referrer|utm_[a-z]+)$/;
/** Consecutive redirects after which rules count as a loop. */
const MAX_REDIRECTS = 5;

/**
 * Decides about requests for pages like the site's own navigation: the operator's redirect rules come first, then
 * access: private pages redirect visitors to the login, and admin pages are 404 for everybody else. Rules that lead to
 * a redirect loop are ignored.
 */
export function createPageGuard(routes: readonly SiteRoute[], rulesFor: RuleLookup) {
  const match = routeMatcher(routes, { ignoreCase: true });

  function guard(address: string, actor: Actor): PageDecision {
    const path = pathOf(address);
    const access = match(path)?.route.access ?? "public";
    if (UNGUARDED.test(path) || (access === "public" && !ADMIN.test(path))) return SHOW;
    if (actor.kind === "anonymous") return { action: "redirect", status: 302, location: loginFor(address) };
    const isForAdmins = access === "admin" || ADMIN.test(path);
    return isForAdmins && !actor.isAdmin ? { action: "missing" } : SHOW;
  }

  /** Whether the chain of redirects starting here ends. */
  function ends(first: PageDecision, actor: Actor, rulesAt: RulesAt): boolean {
    let next = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      if (next.action !== "redirect" || !next.location.startsWith("/")) return true;
      next = byRule(rulesAt, next.location) ?? guard(next.location, actor);
    }
    return false;
  }

  return async (address: string, actor: Actor): Promise<PageDecision> => {
    const rulesAt = await rulesFor(actor);
    const forced = byRule(rulesAt, address);
    return forced && ends(forced, actor, rulesAt) ? forced : guard(address, actor);
  };
}

/** The redirect of the first rule that applies; null if its target is invalid. */
function byRule(rulesAt: RulesAt, address: string): PageDecision | null {
  const [rule] = rulesAt(pathOf(address));
  if (!rule) return null;
  const location = rule.external ? otherSite(rule.redirect_to) : sameOriginPath(rule.redirect_to);
  return location === null ? null : { action: "redirect", status: rule.status, location };
}

function otherSite(address: string): string | null {
  return /^https?:\/\//.test(address) && URL.canParse(address) ? new URL(address).href : null;
}

/** URL of the login with the requested page in `returnTo`. Browsers keep the fragment themselves. */
function loginFor(address: string): string {
  const query = new URLSearchParams(address.split("?").slice(1).join("?"));
  const ofAnyPage = [...query].filter(([name]) => PARAMETERS_OF_ANY_PAGE.test(name));
  const wanted = ofAnyPage.length === 0 ? address : withQuery(pathOf(address), without(query, ofAnyPage));
  return withQuery(LOGIN, new URLSearchParams([["returnTo", wanted], ...ofAnyPage]));
}

function without(query: URLSearchParams, taken: readonly [string, string][]): URLSearchParams {
  const names = new Set(taken.map(([name]) => name));
  return new URLSearchParams([...query].filter(([name]) => !names.has(name)));
}

const withQuery = (path: string, query: URLSearchParams) => (query.size === 0 ? path : `${path}?${query}`);
const pathOf = (address: string) => address.split("?")[0] ?? "/";
