import { safeReturnTo } from "#/lib/return-to.ts";

const KEY = "sign-in-return-to";

/** Notes where to go after the visit to a provider; it outlives leaving the site and this tab only. */
export function keepReturnTo(path: string): void {
  sessionStorage.setItem(KEY, path);
}

export function takeReturnTo(): string {
  const path = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return safeReturnTo(path);
}
