/** What the analytics library keeps in a browser: everything of its own prefix. */
const ITS_OWN = /^(__)?ph_/;

type Area = Pick<Storage, "length" | "key" | "removeItem">;

/** Takes it away: from the storages, which may be closed to us, and the cookies. */
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
      // Closed to us, so the library kept nothing there either.
    }
  }
  try {
    for (const pair of cookies().split(";")) {
      const [name = ""] = pair.trim().split("=");
      if (ITS_OWN.test(name)) forget(name);
    }
  } catch {
    // Cookies are off.
  }
}
