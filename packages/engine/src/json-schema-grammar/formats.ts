const HEX = "[0-9a-f]";
const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const HEX_GROUP = "[0-9a-f]{1,4}";
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?";
const HOST = `${LABEL}(?:\\.${LABEL}){0,4}`;
const DOMAIN = `${LABEL}(?:\\.${LABEL}){0,3}\\.[a-z]{2,24}`;
const CLOCK = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const TIME = `${CLOCK}:[0-5]\\d(?:\\.\\d{1,6})?(?:Z|[+-]${CLOCK})`;
const LEAP_YEAR = "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
const MONTH_AND_DAY =
  "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))";
const DATE = `(?:\\d{4}-${MONTH_AND_DAY}|${LEAP_YEAR}-02-29)`;
const PATH = "(?:/[A-Za-z0-9._~+-]*)*";
const QUERY = "(?:\\?[A-Za-z0-9._~=&+-]*)?(?:#[A-Za-z0-9._~=&+-]*)?";
const POINTER = '(?:/(?:[^"\\\\/~\\x00-\\x1f]|~[01])*)*';
const DAYS = "(?:\\d{1,4}Y(?:\\d{1,4}M(?:\\d{1,4}D)?)?|\\d{1,4}M(?:\\d{1,4}D)?|\\d{1,4}D)";
const HOURS = "T(?:\\d{1,4}H(?:\\d{1,4}M(?:\\d{1,4}S)?)?|\\d{1,4}M(?:\\d{1,4}S)?|\\d{1,4}S)";

/**
 * Patterns for the formats of JSON Schema that can be held. Each describes a part of what the format allows that all
 * validators accept, such as addresses of mail in ASCII. Formats with characters of all languages are not among them.
 */
const FORMAT_PATTERNS: ReadonlyMap<string, string> = new Map([
  ["date", DATE],
  ["time", TIME],
  ["date-time", `${DATE}T${TIME}`],
  ["duration", `P(?:${DAYS}(?:${HOURS})?|${HOURS}|\\d{1,4}W)`],
  ["email", `[A-Za-z0-9_+-]{1,32}(?:\\.[A-Za-z0-9_+-]{1,16}){0,3}@${DOMAIN}`],
  ["hostname", HOST],
  ["ipv4", `${OCTET}(?:\\.${OCTET}){3}`],
  ["ipv6", listIpv6Forms().join("|")],
  [
    "uri",
    `(?:https?://${HOST}(?::[1-9]\\d{0,3})?${PATH}${QUERY}|urn:[a-z0-9]{2,16}:[A-Za-z0-9._:-]+|mailto:[a-z0-9._+-]{1,32}@${DOMAIN})`,
  ],
  ["uri-reference", `(?:https?://${HOST}(?::[1-9]\\d{0,3})?|[A-Za-z0-9._~-]+)?${PATH}${QUERY}`],
  ["uuid", `${HEX}{8}-${HEX}{4}-[1-8]${HEX}{3}-[89ab]${HEX}{3}-${HEX}{12}`],
  ["json-pointer", POINTER],
  ["relative-json-pointer", `(?:0|[1-9]\\d{0,5})(?:#|${POINTER})`],
]);

/** Formats of JSON Schema that the grammar cannot hold. */
export const UNHELD_FORMATS = ["idn-email", "idn-hostname", "iri", "iri-reference", "uri-template", "regex"] as const;

/** Formats that the grammar holds. */
export const HELD_FORMATS: readonly string[] = [...FORMAT_PATTERNS.keys()];

/** Returns an anchored pattern for the strings of a format; undefined for a format that can't be held. */
export function formatPattern(format: string): string | undefined {
  const pattern = FORMAT_PATTERNS.get(format);
  return pattern === undefined ? undefined : `^(?:${pattern})$`;
}

/** All eight groups, or `::` for at least one, with up to three groups before. */
function listIpv6Forms(): string[] {
  const groups = (count: number) => Array.from({ length: count }, () => HEX_GROUP).join(":");
  const shortened = [0, 1, 2, 3].map(
    (before) => `${groups(before)}::(?:${HEX_GROUP}(?::${HEX_GROUP}){0,${5 - before}})?`,
  );
  return [groups(8), ...shortened];
}
