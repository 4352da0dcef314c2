import type { components } from "@feather/openapi/schema";
import { APPLICATION_SCOPES } from "@feather/openapi/scopes";

/** A scope that an application can request, as the consent page explains it. */
type ScopeInfo = components["schemas"]["ScopeInfo"];

/**
 * Returns the scopes that `text` requests: all `allowed` ones where it is empty, null where it names one that is not
 * allowed.
 */
export function parseRequestedScopes(text: string | undefined, allowed: readonly string[]): string[] | null {
  const names = [...new Set((text ?? "").split(" ").filter((name) => name !== ""))];
  if (names.length === 0) return [...allowed];
  return names.every((name) => allowed.includes(name)) ? names : null;
}

/** Returns the descriptions of these scopes, in the order of the contract. */
export function toScopeInfos(ids: readonly string[]): ScopeInfo[] {
  const scopes = APPLICATION_SCOPES.filter(({ id }) => ids.includes(id));
  return scopes.map((scope) => ({ ...scope, permissions: [...scope.permissions] }));
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
  const sensitive = APPLICATION_SCOPES.filter(({ needs_confirmation }) => needs_confirmation).map(
    ({ id }): string => id,
  );
  return scopes.filter(
    (scope) => !sensitive.includes(scope) || confirmedNow.includes(scope) || previouslyConfirmed.includes(scope),
  );
}
