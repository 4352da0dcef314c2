/** Query parameters that let somebody in, or name a person. They never leave the browser. */
const SECRET =
  /^(token|code|state|setup|user_code|invite|invitation|key|api_key|password|email|error|error_description|client_secret|.*_client_secret|.*_token|returnTo)$/i;

/** Paths that end with what lets somebody in. */
const SECRET_PATH = /^((?:https?:\/\/[^/?#]*)?\/invitations\/)[^/?#]+/i;

/** An address without the values of its secret parameters and paths; texts that are no addresses stay as they are. */
export function redactUrl(address: string): string {
  if (!/^(https?:\/\/|\/)/.test(address)) return address;
  const text = address.replace(SECRET_PATH, "$1hidden");
  const start = text.indexOf("?");
  if (start < 0) return text;
  const end = text.indexOf("#", start);
  const query = text.slice(start + 1, end < 0 ? undefined : end);
  const pairs = query.split("&").map((pair) => {
    const [name = ""] = pair.split("=");
    return SECRET.test(decoded(name)) ? `${name}=hidden` : pair;
  });
  return `${text.slice(0, start + 1)}${pairs.join("&")}${end < 0 ? "" : text.slice(end)}`;
}

/** The properties of an event with every address in them redacted, however deep. */
export function redactProperties<T>(value: T): T {
  if (typeof value === "string") return redactUrl(value) as T;
  if (Array.isArray(value)) return value.map(redactProperties) as T;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, redactProperties(part)])) as T;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}
