import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** A scope of an API key, such as `api.access`. */
export type KeyScope = Schemas["Scope"];

/** Scopes that a key can have, with a label for the table and a hint for the form. */
export const KEY_SCOPES: readonly { id: KeyScope; label: string; hint: string }[] = [
  { id: "api.access", label: t`call models`, hint: t`Call models, and read usage and deployments.` },
  { id: "deployments.write", label: t`manage deployments`, hint: t`Make, change and delete deployments and models.` },
  { id: "user.read", label: t`read the account`, hint: t`Read the profile, keys, members and invoices.` },
  { id: "user.write", label: t`change the account`, hint: t`Change the profile and settings.` },
  { id: "keys.write", label: t`manage keys`, hint: t`Make and delete keys and applications.` },
  { id: "members.write", label: t`manage members`, hint: t`Invite and remove members, and change roles.` },
  { id: "billing.write", label: t`spend money`, hint: t`Buy plans and credits, and change payment methods.` },
];

/** The scopes that are selected for a new key. */
export const DEFAULT_KEY_SCOPES: readonly KeyScope[] = ["api.access"];

/** Returns the label of a scope; the scope itself where it has none. */
export function getKeyScopeLabel(scope: KeyScope): string {
  if (scope === "admin") return t`administer`;
  return KEY_SCOPES.find(({ id }) => id === scope)?.label ?? scope;
}
