import type { Schemas } from "@feather/sdk";

/** What a key may do. */
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
