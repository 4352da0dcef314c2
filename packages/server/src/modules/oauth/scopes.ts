import type { components } from "@feather/openapi/schema";

/** A scope with its name and description, as the contract has it. */
export type ScopeInfo = components["schemas"]["ScopeInfo"];
/** The id of a scope, such as `user.read`. */
export type ScopeId = ScopeInfo["id"];

/** All scopes, with the texts that the consent page shows. */
export const SCOPES: readonly ScopeInfo[] = [
  {
    id: "user.read",
    name: "Read User Profile",
    description: "See who you are and what you have here.",
    permissions: [
      "Your name, e-mail address, plan and sign-ins",
      "Your keys, applications, invoices and payment methods, without their secrets",
      "Your organization and its members",
    ],
    category: "User Data",
    needs_confirmation: false,
  },
  {
    id: "user.write",
    name: "Modify User Profile",
    description: "Change your profile and settings.",
    permissions: [
      "Change your profile and settings",
      "Write reviews, reports and favourites in your name",
      "End your sign-ins and disconnect sign-in providers",
      "Change your password, e-mail address or delete your account, if you give it your password",
    ],
    category: "User Data",
    needs_confirmation: false,
  },
  {
    id: "api.access",
    name: "API Access",
    description: "Call models in your name, at the cost of your plan.",
    permissions: [
      "Call models, and use your units and credits",
      "See your usage, credits, deployments and private models",
    ],
    category: "API",
    needs_confirmation: false,
  },
  {
    id: "keys.write",
    name: "Manage Keys And Applications",
    description: "Make and change what opens this platform in your name.",
    permissions: ["Make, change and delete API keys and applications", "Take back what other applications may do"],
    category: "API",
    needs_confirmation: false,
  },
  {
    id: "deployments.write",
    name: "Manage Deployments And Models",
    description: "Change what your organization runs.",
    permissions: [
      "Make, change and delete deployments and their tokens",
      "Load, unload and delete private models",
      "Ask for models, and unlock gated ones",
    ],
    category: "API",
    needs_confirmation: false,
  },
  {
    id: "members.write",
    name: "Manage Members",
    description: "Decide who belongs to your organization.",
    permissions: [
      "Invite and remove members, and change their roles",
      "Rename your organization",
      "Accept invitations in your name",
    ],
    category: "Organization",
    needs_confirmation: true,
  },
  {
    id: "billing.write",
    name: "Spend Money",
    description: "Buy with the payment methods of your organization.",
    permissions: [
      "Buy, change and cancel plans, and apply coupons",
      "Buy credits and pay invoices with your stored payment methods",
      "Add and remove payment methods, and ask for payouts",
    ],
    category: "Organization",
    needs_confirmation: true,
  },
];

/**
 * Returns the scopes that `text` requests: all `allowed` ones where it is empty, null where it names one that is not
 * allowed.
 */
export function parseRequestedScopes(text: string | undefined, allowed: readonly string[]): string[] | null {
  const names = [...new Set((text ?? "").split(" ").filter((name) => name !== ""))];
  if (names.length === 0) return [...allowed];
  return names.every((name) => allowed.includes(name)) ? names : null;
}

/** Returns the descriptions of these scopes, in the order of SCOPES. */
export function toScopeInfos(ids: readonly string[]): ScopeInfo[] {
  return SCOPES.filter(({ id }) => ids.includes(id));
}

/**
 * Returns the scopes that a person granted: all of `scopes` but those that need a separate confirmation and have none.
 * `previouslyConfirmed` were confirmed earlier and need no new confirmation.
 */
export function selectGrantedScopes(
  scopes: readonly string[],
  confirmed: string | undefined,
  previouslyConfirmed: readonly string[] = [],
) {
  const confirmedNow = (confirmed ?? "").split(" ");
  const sensitive = SCOPES.filter(({ needs_confirmation }) => needs_confirmation).map(({ id }): string => id);
  return scopes.filter(
    (scope) => !sensitive.includes(scope) || confirmedNow.includes(scope) || previouslyConfirmed.includes(scope),
  );
}
