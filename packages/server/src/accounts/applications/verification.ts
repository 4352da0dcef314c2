import type { ApplicationRow } from "./applications.repository.ts";

/**
 * Returns whether an admin has approved the application in its present form. Applications of the platform itself always
 * are.
 */
export function isVerified({ organization_id, reviewed_at }: ApplicationRow): boolean {
  return organization_id === null || reviewed_at !== null;
}
