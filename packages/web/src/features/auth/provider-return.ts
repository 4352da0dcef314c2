import { tabStorage } from "#/lib/browser/storage.ts";
import { toSafeReturnTo } from "#/lib/navigation/return-to.ts";

const STORAGE_KEY = "sign-in-return-to";

/** Stores in this tab where to go after signing in with a provider. */
export function storeReturnTo(path: string): void {
  tabStorage.set(STORAGE_KEY, path);
}

/** Returns the stored path and removes it. */
export function popReturnTo(): string {
  const path = tabStorage.get(STORAGE_KEY);
  tabStorage.remove(STORAGE_KEY);
  return toSafeReturnTo(path);
}
