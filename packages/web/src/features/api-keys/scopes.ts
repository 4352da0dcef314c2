import { type ApiKey, can, type Permission, type Scope, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** A scope with a label for the list and a hint for the form; `permission` is what the user needs to use it. */
type ScopeInfo = { id: Scope; label: string; hint: string; permission?: Permission };

/** A scope as the form offers it; `refusal` says why it cannot be given. */
export type ScopeOption = ScopeInfo & { refusal: string | null };

/** Texts of the scopes of the contract. */
const SCOPE_TEXTS: Record<Scope, Omit<ScopeInfo, "id">> = {
  "api.access": {
    label: t`call models`,
    hint: t`Call models, and read usage and deployments.`,
    permission: "call_models",
  },
  "collections.write": {
    label: t`read and change collections`,
    hint: t`Search the documents of your organization, add and delete them.`,
    permission: "call_models",
  },
  "tools.call": {
    label: t`call tools`,
    hint: t`Call the tools of your organization, here and over MCP.`,
    permission: "call_models",
  },
  "deployments.write": {
    label: t`manage deployments`,
    hint: t`Make, change and delete deployments and models.`,
    permission: "manage_deployments",
  },
  "user.read": { label: t`read the account`, hint: t`Read the profile, keys, members and invoices.` },
  "user.write": { label: t`change the account`, hint: t`Change the profile and settings.` },
  "chats.write": {
    label: t`read and change chats`,
    hint: t`Read, change and delete the chats that the server keeps, and prompts.`,
  },
  "keys.write": {
    label: t`manage keys`,
    hint: t`Make and delete keys and applications.`,
    permission: "manage_keys",
  },
  "members.write": {
    label: t`manage members`,
    hint: t`Invite and remove members, and change roles.`,
    permission: "manage_members",
  },
  "billing.write": {
    label: t`spend money`,
    hint: t`Buy plans and credits, and change payment methods.`,
    permission: "manage_billing",
  },
  admin: {
    label: t`administer`,
    hint: t`Administer the whole platform. Only platform admins can give it.`,
  },
};
const SCOPES: readonly ScopeInfo[] = (Object.keys(SCOPE_TEXTS) as Scope[]).map((id) => ({ id, ...SCOPE_TEXTS[id] }));

/** The scopes of a new key unless others are chosen. */
export const DEFAULT_KEY_SCOPES: readonly Scope[] = ["api.access"];

/** Returns the label of a scope; the scope itself where it has none. */
export function getKeyScopeLabel(scope: Scope): string {
  return SCOPE_TEXTS[scope]?.label ?? scope;
}

/** Returns the scopes to offer for a key, null for a new one. Those that the key has can always be taken away. */
export function listScopeOptions(user: User, key: ApiKey | null): ScopeOption[] {
  const hasAdminOption = user.is_admin || key?.scopes.includes("admin");
  return SCOPES.filter(({ id }) => hasAdminOption || id !== "admin").map((scope) => ({
    ...scope,
    refusal: key?.scopes.includes(scope.id) ? null : getRefusal(user, key, scope),
  }));
}

function getRefusal(user: User, key: ApiKey | null, { permission }: ScopeInfo): string | null {
  if (key !== null && key.created_by !== user.id)
    return key.created_by_name === null
      ? t`Only who made the key could give it this.`
      : t`Only ${key.created_by_name} can give it this.`;
  if (permission === undefined || can(user, permission)) return null;
  return t`Your role does not allow this, so a key of yours could not do it either.`;
}
