/** Keys and cookies of the analytics library. */
const LIBRARY_KEY = /^(__)?ph_/;

type StorageArea = Pick<Storage, "length" | "key" | "removeItem">;

/** Removes the library's data from storages and cookies. Ignores storages that the browser denies. */
export function removeStoredData(
  storages: readonly (() => StorageArea)[],
  cookies: () => string,
  removeCookie: (name: string) => void,
): void {
  for (const openStorage of storages) {
    try {
      const storage = openStorage();
      const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index));
      for (const key of keys) if (key !== null && LIBRARY_KEY.test(key)) storage.removeItem(key);
    } catch {
      // Access is denied, so the library has stored nothing there.
    }
  }
  try {
    for (const pair of cookies().split(";")) {
      const [name = ""] = pair.trim().split("=");
      if (LIBRARY_KEY.test(name)) removeCookie(name);
    }
  } catch {
    // Cookies are disabled.
  }
}
