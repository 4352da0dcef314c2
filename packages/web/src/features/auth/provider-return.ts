import { safeReturnTo } from "#/lib/return-to.ts";
import { tabStorage } from "#/lib/storage.ts";

const KEY = "sign-in-return-to";

/** Stores in this tab where to go after signing in with a provider. */
export function keepReturnTo(path: string): void {
  tabStorage.set(KEY, path);
}

/** Returns the stored path and removes it. */
export function takeReturnTo(): string {
  const path = tabStorage.get(KEY);
  tabStorage.remove(KEY);
  return safeReturnTo(path);
}
