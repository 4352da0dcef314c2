/** Reads scopes.yaml and renders what is generated from it. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** A scope with what the consent page shows of it. Applications cannot request a scope without a name. */
export type ScopeEntry = {
  id: string;
  description: string;
  name?: string;
  permissions?: readonly string[];
  category?: string;
  needs_confirmation?: boolean;
};

const CONSENT_FIELDS = ["name", "permissions", "category", "needs_confirmation"] as const;

/** Reads the scopes, in order. Throws for one without a description, or with only a part of what the consent page shows. */
export function readScopes(): ScopeEntry[] {
  const text = readFileSync(new URL("scopes.yaml", import.meta.url), "utf8");
  const scopes = Object.entries(parse(text) as Record<string, Omit<ScopeEntry, "id">>);
  return scopes.map(([id, scope]) => {
    const missing = CONSENT_FIELDS.filter((field) => scope[field] === undefined);
    if (!scope.description) throw new Error(`scopes.yaml: ${id} has no description.`);
    if (missing.length > 0 && missing.length < CONSENT_FIELDS.length)
      throw new Error(`scopes.yaml: ${id} lacks ${missing.join(", ")}.`);
    return { id, ...scope };
  });
}

/** Returns the scopes that applications can request. */
export const listApplicationScopes = (scopes: readonly ScopeEntry[]): ScopeEntry[] =>
  scopes.filter(({ name }) => name !== undefined);

/** Throws when the schemas `Scope` and `ApplicationScope` of the bundle have other values than scopes.yaml. */
export function checkScopes(
  { components: { schemas } }: { components: { schemas: Record<string, { enum?: string[] }> } },
  scopes: readonly ScopeEntry[],
): void {
  const expected = { Scope: scopes, ApplicationScope: listApplicationScopes(scopes) };
  for (const [name, entries] of Object.entries(expected)) {
    const ids = entries.map(({ id }) => id).join(", ");
    if (schemas[name]?.enum?.join(", ") !== ids) throw new Error(`scopes.yaml: ${name}.yaml needs the enum [${ids}].`);
  }
}

/** Returns the module that the server and the SDK's generator use. */
export function renderScopesModule(scopes: readonly ScopeEntry[]): string {
  const descriptions = Object.fromEntries(scopes.map(({ id, description }) => [id, description]));
  return `/** Generated from scopes.yaml; do not edit. */

/** All scopes. */
export const SCOPES = ${JSON.stringify(scopes.map(({ id }) => id))} as const;

/** What each scope lets its holder do. */
export const SCOPE_DESCRIPTIONS = ${JSON.stringify(descriptions, null, 2)} as const;

/** The scopes that applications can request, as the consent page explains them. */
export const APPLICATION_SCOPES = ${JSON.stringify(listApplicationScopes(scopes), null, 2)} as const;
`;
}
