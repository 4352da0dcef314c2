import { safeReturnTo } from "#/lib/return-to.ts";
import { tabStorage } from "#/lib/storage.ts";

const KEY = "sign-in-return-to";

/** Notes where to go after the visit to a provider; it outlives leaving the site and this tab only. */
export function keepReturnTo(path: string): void {
  tabStorage.set(KEY, path);
}

export function takeReturnTo(): string {
  const path = tabStorage.get(KEY);
  tabStorage.remove(KEY);
  return safeReturnTo(path);
}
