/** The scopes of the contract: ids, what each lets its holder do, and the ids of those that applications can request. */
export type ScopeTable = {
  ids: readonly string[];
  descriptions: Readonly<Record<string, string>>;
  applicationIds: readonly string[];
};

/** Renders `scopes.ts`: the scopes of keys and of applications, with their descriptions. */
export function renderScopesFile({ ids, descriptions, applicationIds }: ScopeTable): string {
  return `/** Generated from scopes.yaml of the contract; do not edit. */
import type { ApplicationScope, Scope } from "./schemas.ts";

/** The scopes that keys and tokens may have. */
export const SCOPES: readonly Scope[] = ${JSON.stringify(ids)};

/** The scopes that applications can request. */
export const APPLICATION_SCOPES: readonly ApplicationScope[] = ${JSON.stringify(applicationIds)};

/** What each scope lets the holder of a key or token do, in a sentence. */
export const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, string>> = ${JSON.stringify(descriptions, null, 2)};
`;
}
