/** Keys and cookies of the analytics library. */
const ITS_OWN = /^(__)?ph_/;

type Area = Pick<Storage, "length" | "key" | "removeItem">;

/** Removes the library's data from storages and cookies. Ignores storages that the browser denies. */
export function removeLeftovers(
  areas: readonly (() => Area)[],
  cookies: () => string,
  forget: (name: string) => void,
): void {
  for (const area of areas) {
    try {
      const store = area();
      const keys = Array.from({ length: store.length }, (_, index) => store.key(index));
      for (const key of keys) if (key !== null && ITS_OWN.test(key)) store.removeItem(key);
    } catch {
      // Access is denied, so the library has stored nothing there.
    }
  }
  try {
    for (const pair of cookies().split(";")) {
      const [name = ""] = pair.trim().split("=");
      if (ITS_OWN.test(name)) forget(name);
    }
  } catch {
    // Cookies are disabled.
  }
}
