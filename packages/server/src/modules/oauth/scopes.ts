import type { components } from "@feather/openapi/schema";

export type ScopeInfo = components["schemas"]["ScopeInfo"];
export type ScopeId = ScopeInfo["id"];

/** What an application may be allowed, in the words of the consent page. */
export const SCOPES: readonly ScopeInfo[] = [
  {
    id: "user.read",
    name: "Read User Profile",
    description: "See who you are and what you use.",
    permissions: ["Your name, e-mail address and plan", "Your usage, keys and deployments, without their secrets"],
    category: "User Data",
  },
  {
    id: "user.write",
    name: "Modify User Profile",
    description: "Change your account and what belongs to it.",
    permissions: ["Change your profile and settings", "Make and delete keys and applications"],
    category: "User Data",
  },
  {
    id: "api.access",
    name: "API Access",
    description: "Call models in your name, at the cost of your plan.",
    permissions: ["Call models", "Use your units and credits"],
    category: "API",
  },
];

/** The scopes among `allowed` that a text asks for; all of them where it names none; null where it asks for another. */
export function askedScopes(text: string | undefined, allowed: readonly string[]): string[] | null {
  const names = [...new Set((text ?? "").split(" ").filter((name) => name !== ""))];
  if (names.length === 0) return [...allowed];
  return names.every((name) => allowed.includes(name)) ? names : null;
}

export function scopeInfos(ids: readonly string[]): ScopeInfo[] {
  return SCOPES.filter(({ id }) => ids.includes(id));
}
