import { plural, t } from "@lingui/core/macro";

/** Labels of audit actions, which follow the name of the user. */
const ACTION_LABELS: Readonly<Record<string, string>> = {
  "access.denied": t`was refused a call`,
  "account.change_email": t`changed their e-mail`,
  "account.change_password": t`changed their password`,
  "account.delete": t`deleted their account`,
  "account.add_passkey": t`added a passkey`,
  "account.remove_passkey": t`removed a passkey`,
  "account.rename_passkey": t`renamed a passkey`,
  "account.disable_totp": t`switched their second factor off`,
  "account.enable_totp": t`switched a second factor on`,
  "account.export": t`took out the data of their account`,
  "account.link_provider": t`connected an account to sign in with`,
  "account.unlink_provider": t`disconnected an account to sign in with`,
  "account.update": t`changed their profile`,
  "account.verify_email": t`confirmed their e-mail`,
  "api_keys.create": t`made the key`,
  "api_keys.delete": t`deleted the key`,
  "api_keys.rotate": t`replaced the secret of the key`,
  "api_keys.update": t`changed the key`,
  "applications.create": t`registered the application`,
  "applications.delete": t`deleted the application`,
  "applications.regenerate_secret": t`replaced the secret of the application`,
  "applications.update": t`changed the application`,
  "auth.login": t`logged in`,
  "auth.logout": t`logged out`,
  "auth.reauthentication_failed": t`gave a wrong password or code`,
  "auth.register": t`signed up`,
  "budgets.delete": t`deleted the budget of`,
  "budgets.set": t`set the budget of`,
  "chat_shares.create": t`made a link to a chat`,
  "chat_shares.delete": t`revoked a link to a chat`,
  "credits.auto_top_up_delete": t`stopped buying credits automatically`,
  "credits.auto_top_up_set": t`had credits bought automatically`,
  "credits.top_up": t`bought credits`,
  "deployments.create": t`made the deployment`,
  "deployments.delete": t`deleted the deployment`,
  "deployments.login": t`made a one-time link to the deployment`,
  "deployments.pause": t`paused the deployment`,
  "deployments.redeem_login": t`opened the deployment by a one-time link`,
  "deployments.resume": t`resumed the deployment`,
  "deployments.rotate_token": t`replaced the token of the deployment`,
  "deployments.update": t`changed the deployment`,
  "impersonation.request": t`made a request`,
  "impersonation.stop": t`stopped acting as a member`,
  "invitations.accept": t`joined by an invitation`,
  "invitations.create": t`invited somebody`,
  "invitations.delete": t`withdrew an invitation`,
  "invitations.resend": t`sent an invitation again`,
  "members.delete": t`removed the member`,
  "members.update": t`changed the role of the member`,
  "models.probe": t`had a model probed`,
  "models.request": t`asked for the model`,
  "models.unlock": t`unlocked the model`,
  "oauth.authorize": t`allowed the application`,
  "oauth.revoke": t`ended a token of the application`,
  "oauth.verify_device": t`signed a device in`,
  "oauth.withdraw": t`took back what the application may do`,
  "organization.billing_details": t`changed the billing details`,
  "organization.calls_elsewhere": t`decided where calls may go`,
  "organization.chats": t`decided where chats are kept and whether links to them are allowed`,
  "organization.switch": t`went on for the organization`,
  "organization.update": t`renamed the organization`,
  "payment_methods.add": t`added a card`,
  "payment_methods.make_default": t`chose the card to pay with`,
  "payment_methods.remove": t`removed a card`,
  "private_models.create": t`added the private model`,
  "private_models.delete": t`deleted the private model`,
  "private_models.unload": t`unloaded the private model`,
  "provider_keys.delete": t`removed the key for the provider`,
  "provider_keys.set": t`set the key for the provider`,
  "sessions.delete": t`ended a session`,
  "sessions.delete_others": t`ended all their other sessions`,
  "subscription.apply_coupon": t`used a coupon`,
  "subscription.cancel": t`cancelled the plan`,
  "subscription.change": t`changed the plan`,
  "subscription.remove_coupon": t`removed a coupon`,
  "subscription.resume": t`resumed the plan`,
  "subscription.take_retention_offer": t`took an offer to stay`,
  "usage.export": t`took out a report of usage`,
  "webhooks.create": t`made a webhook endpoint`,
  "webhooks.delete": t`deleted a webhook endpoint`,
  "webhooks.replay": t`sent an event to a webhook endpoint again`,
  "webhooks.rotate": t`replaced the secret of a webhook endpoint`,
  "webhooks.test": t`sent a test to a webhook endpoint`,
  "webhooks.update": t`changed a webhook endpoint`,
};

/** Returns the label of an audit action; the action's name where it has none. */
export const getActionLabel = (action: string): string => ACTION_LABELS[action] ?? action.replaceAll(/[._]/g, " ");

/** Filters of the audit log, by the prefix of the action. */
export const ACTION_FILTERS: readonly { value: string; label: string }[] = [
  { value: "api_keys", label: t`Keys` },
  { value: "provider_keys", label: t`Provider keys` },
  { value: "webhooks", label: t`Webhooks` },
  { value: "members", label: t`Members` },
  { value: "invitations", label: t`Invitations` },
  { value: "organization", label: t`Organization` },
  { value: "budgets", label: t`Budgets` },
  { value: "subscription", label: t`Plan` },
  { value: "payment_methods", label: t`Cards` },
  { value: "credits", label: t`Credits` },
  { value: "deployments", label: t`Deployments` },
  { value: "private_models", label: t`Private models` },
  { value: "applications", label: t`Applications` },
  { value: "oauth", label: t`Allowed programs` },
  { value: "account", label: t`Accounts` },
  { value: "auth", label: t`Logins` },
  { value: "sessions", label: t`Sessions` },
  { value: "access", label: t`Refused calls` },
];

const DETAIL_FIELDS = ["name", "email", "role", "plan", "provider"] as const;
const LOGIN_METHOD_LABELS: Readonly<Record<string, string>> = {
  password: t`with a password`,
  second_factor: t`with a second factor`,
  passkey: t`with a passkey`,
  link: t`by a link in a message`,
  provider: t`with an account elsewhere`,
};

/** Why a call was rejected, by error code. */
const DENIAL_REASONS: Readonly<Record<string, string>> = {
  "api_keys.not_the_maker": t`the key is somebody else's`,
  "applications.status_denied": t`only an admin of the platform may set this status`,
  cross_site_request: t`it came from another site`,
  email_not_verified: t`their e-mail address is not confirmed`,
  impersonation_forbidden: t`not allowed while acting as somebody else`,
  ip_not_allowed: t`the key may not be used from this address`,
  key_disabled: t`the key is switched off`,
  key_expired: t`the key has expired`,
  key_scope_denied: t`the credential lacks the scope`,
  not_an_admin: t`only for admins of the platform`,
  organization_permission_denied: t`their role lacks the permission`,
  second_factor_required: t`they have no second factor yet`,
  unauthorized: t`only for signed-in sessions`,
};

/** Returns which call was rejected, why and how often; null for details of another action. */
export function describeDenial(details: Readonly<Record<string, unknown>>): string | null {
  const { operation, reason, repeated } = details;
  if (typeof operation !== "string" || typeof reason !== "string") return null;
  const call = `${operation}: ${DENIAL_REASONS[reason] ?? reason.replaceAll(/[._]/g, " ")}`;
  return typeof repeated === "number"
    ? `${call} (${plural(repeated, { one: "once more", other: "# times more" })})`
    : call;
}

/** Returns the readable details of an audit entry. */
export function describeDetails(details: Readonly<Record<string, unknown>>, targetName: string | null): string {
  const denial = describeDenial(details);
  if (denial !== null) return denial;
  const values = DETAIL_FIELDS.map((field) => details[field]).filter((value) => value !== targetName);
  const method = LOGIN_METHOD_LABELS[String(details.method)];
  return [...values, method].filter((value) => typeof value === "string").join(", ");
}
