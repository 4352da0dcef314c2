import { readCookie } from "#/lib/cookies.ts";

/** Tells the site that an admin acts as somebody else. */
export const IMPERSONATION_COOKIE = "impersonate_as";

/** Whether an admin acts as somebody else here. */
export const isImpersonating = (): boolean => readCookie(IMPERSONATION_COOKIE) !== null;
