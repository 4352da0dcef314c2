import type { Application } from "@feather/sdk";
import { t } from "@lingui/core/macro";

type Scope = Application["scopes"][number];
/** The review status of an application. */
export type Status = Application["status"];

/** Texts of the scopes of the contract that an application can request, named as on the consent page. */
const SCOPE_TEXTS: Record<Scope, { name: string; hint: string }> = {
  "user.read": { name: t`Read User Profile`, hint: t`Name, e-mail address, plan and usage.` },
  "user.write": { name: t`Modify User Profile`, hint: t`Change profile and settings.` },
  "chats.write": {
    name: t`Read And Change Your Chats`,
    hint: t`Read, change and delete the chats that the server keeps.`,
  },
  "collections.write": {
    name: t`Read And Change Collections`,
    hint: t`Search, add and delete documents of the person's organization. People confirm it by itself.`,
  },
  "api.access": { name: t`API Access`, hint: t`Call models at the cost of the person's plan.` },
  "tools.call": {
    name: t`Call Tools`,
    hint: t`Call the tools of the person's organization. People confirm it by itself.`,
  },
  "keys.write": { name: t`Manage Keys And Applications`, hint: t`Make and delete keys and applications.` },
  "deployments.write": {
    name: t`Manage Deployments And Models`,
    hint: t`Make and delete deployments and private models.`,
  },
  "members.write": {
    name: t`Manage Members`,
    hint: t`Invite and remove members. People confirm it by itself.`,
  },
  "billing.write": { name: t`Spend Money`, hint: t`Buy plans and credits. People confirm it by itself.` },
};

/** The scopes that an application can request. */
export const SCOPES = (Object.keys(SCOPE_TEXTS) as Scope[]).map((id) => ({ id, ...SCOPE_TEXTS[id] }));

const STATUS_LABELS: Record<Status, { tier: string; label: string; note: string | null }> = {
  active: { tier: "good", label: t`active`, note: null },
  inactive: {
    tier: "cold",
    label: t`off`,
    note: t`It is off: nobody can sign in with it, and its tokens are refused.`,
  },
  pending: {
    tier: "loading",
    label: t`in review`,
    note: t`An admin of this server looks at it. Until then it gets no tokens.`,
  },
  suspended: {
    tier: "bad",
    label: t`suspended`,
    note: t`An admin of this server has suspended it. Its tokens are refused.`,
  },
  rejected: {
    tier: "bad",
    label: t`rejected`,
    note: t`An admin of this server has rejected it. Write to them to learn why.`,
  },
};

/** Returns label, color tier and note of a status. */
export const getStatusLabel = (status: Status) => STATUS_LABELS[status];

/** Returns the status that the owner may switch to; null where only an admin may change it. */
export function getStatusToggle(status: Status): { to: "active" | "inactive"; label: string } | null {
  if (status === "active") return { to: "inactive", label: t`Switch off` };
  return status === "inactive" ? { to: "active", label: t`Switch on` } : null;
}

/** Labels of the two client types of OAuth. */
export const CLIENT_TYPES = {
  confidential: { name: "Confidential", hint: t`Runs on a server that can keep a secret.` },
  public: { name: "Public", hint: t`Runs in a browser, on a phone or a desk. Has no secret; uses PKCE.` },
} as const;
