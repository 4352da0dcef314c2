import { t } from "@lingui/core/macro";
import { z } from "zod";

/** The field for the admin's own password, for changes that need it; none for admins without one. */
export function ownPasswordFields(isNeeded: boolean) {
  if (!isNeeded) return [];
  const label = t`Your own password`;
  return [{ name: "password" as const, label, type: "password", autoComplete: "current-password" }];
}

/** The values of a form that asks for nothing but the admin's own password. */
export const ownPasswordSchema = z.object({ password: z.string().max(1000) });
