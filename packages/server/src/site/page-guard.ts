import type { Actor } from "../http/actor.ts";
import { sameOriginPath } from "../http/same-origin-path.ts";
import type { RuleLookup, RulesAt } from "../modules/route-rules/rule-lookup.ts";
import type { SiteRoute } from "./manifest.ts";
import { routeMatcher } from "./match-route.ts";

/** What a request for a page is answered with: the page, another address, or that there is no such page. */
export type PageDecision =
  | { action: "show" }
  | { action: "missing" }
  | { action: "redirect"; status: number; location: string };

const SHOW: PageDecision = { action: "show" };
const UNGUARDED = /^\/(api|cms)/i;
const ADMIN = /^\/admin/i;
const LOGIN = "/login";
/** What the site reads from the address of any page. It goes along to the login, and is not wanted twice. */
const PARAMETERS_OF_ANY_PAGE = /^(error|referrer|utm_[a-z]+)$/;
/** Redirects that may follow each other. */
const MAX_REDIRECTS = 5;

/**
 * Decides about requests for pages as the site itself does on its way from page to page: the redirect rules of the
 * operator come first, then the guard by which private pages send visitors to the login, and admin pages do not exist for
 * others. Rules that would go round in circles are left out.
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

  /** Whether the redirects that begin with this one come to an end. */
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

/** The redirect of the first rule that holds. A target that is not what the rule says leads nowhere. */
function byRule(rulesAt: RulesAt, address: string): PageDecision | null {
  const [rule] = rulesAt(pathOf(address));
  if (!rule) return null;
  const location = rule.external ? otherSite(rule.redirect_to) : sameOriginPath(rule.redirect_to);
  return location === null ? null : { action: "redirect", status: rule.status, location };
}

function otherSite(address: string): string | null {
  return /^https?:\/\//.test(address) && URL.canParse(address) ? new URL(address).href : null;
}

/** The login with the way back to the wanted page. The browser itself keeps what stands behind `#`. */
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
