import type { Schemas } from "@feather/sdk";

/** What a key may do. */
export const SCOPES: readonly Schemas["Scope"][] = ["api.access", "user.read", "user.write", "admin"];
