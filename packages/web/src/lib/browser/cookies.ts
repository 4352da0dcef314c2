/** Returns the decoded value of a cookie; null if there is none or cookies are not accessible. */
export function readCookie(name: string, readCookies: () => string = () => document.cookie): string | null {
  try {
    for (const pair of readCookies().split(";")) {
      const [key, ...value] = pair.trim().split("=");
      if (key === name) return decode(value.join("="));
    }
  } catch {
    // Access is denied, for example in a sandboxed frame.
  }
  return null;
}

/** Deletes a cookie; does nothing if cookies are not accessible. */
export function deleteCookie(name: string): void {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
    document.cookie = `${name}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT`;
  } catch {
    // No access means no cookie was set.
  }
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
