import { readCookie } from "#/lib/browser/cookies.ts";

/** A cookie that the server sets while an admin impersonates a user. */
export const IMPERSONATION_COOKIE = "impersonate_as";

/** Returns whether an admin impersonates a user in this browser. */
export const isImpersonating = (): boolean => readCookie(IMPERSONATION_COOKIE) !== null;
