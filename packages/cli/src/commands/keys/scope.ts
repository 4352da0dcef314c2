import type { Schemas } from "@feather/sdk";

/** The scopes that a key may have. */
export const SCOPES: readonly Schemas["Scope"][] = [
  "api.access",
  "deployments.write",
  "user.read",
  "user.write",
  "keys.write",
  "members.write",
  "billing.write",
  "admin",
];
