/** The value of a cookie that scripts may read; null where there is none, or cookies are off. */
export function readCookie(name: string, jar: () => string = () => document.cookie): string | null {
  try {
    for (const pair of jar().split(";")) {
      const [key, ...value] = pair.trim().split("=");
      if (key === name) return decode(value.join("="));
    }
  } catch {
    // Closed to us, as in a frame without an origin.
  }
  return null;
}

export function forgetCookie(name: string): void {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
    document.cookie = `${name}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT`;
  } catch {
    // Nothing was kept, so nothing has to go.
  }
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
