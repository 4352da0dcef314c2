/** Query parameters that are credentials or identify a person. They never leave the browser. */
const SECRET_PARAMETER =
  /^(token|code|state|setup|user_code|invite|invitation|key|api_key|password|email|error|error_description|client_secret|.*_client_secret|.*_token|returnTo)$/i;

/** Paths that end with a credential. */
const SECRET_PATH = /^((?:https?:\/\/[^/?#]*)?\/(?:invitations|shared-chats)\/)[^/?#]+/i;

/** Returns a URL without the values of its secret parameters and paths; other texts are returned unchanged. */
export function redactUrl(address: string): string {
  if (!/^(https?:\/\/|\/)/.test(address)) return address;
  const text = address.replace(SECRET_PATH, "$1hidden");
  const start = text.indexOf("?");
  if (start < 0) return text;
  const end = text.indexOf("#", start);
  const query = text.slice(start + 1, end < 0 ? undefined : end);
  const pairs = query.split("&").map((pair) => {
    const [name = ""] = pair.split("=");
    return SECRET_PARAMETER.test(decodeName(name)) ? `${name}=hidden` : pair;
  });
  return `${text.slice(0, start + 1)}${pairs.join("&")}${end < 0 ? "" : text.slice(end)}`;
}

/** Redacts all URLs within an event's properties, at any depth. */
export function redactProperties<T>(value: T): T {
  if (typeof value === "string") return redactUrl(value) as T;
  if (Array.isArray(value)) return value.map(redactProperties) as T;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, redactProperties(part)])) as T;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}
