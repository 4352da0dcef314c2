import { isRecord } from "./record.ts";

/** The stored settings of one server and one account. */
export type Profile = {
  readonly baseUrl?: string;
  readonly secret?: string;
  readonly name?: string;
  /** Refresh token and expiry of the secret (RFC 3339), for sign-ins by browser or device. */
  readonly refreshToken?: string;
  readonly expiresAt?: string;
};
/** Profiles by name. */
export type Profiles = Readonly<Record<string, Profile>>;

/** The words that a short name stands for, by that name. */
export type Aliases = Readonly<Record<string, readonly string[]>>;

/** The content of the file: the profiles, the one that is used when none is named, and the person's short names. */
export type Config = { readonly profiles: Profiles; readonly current: string; readonly aliases: Aliases };

/** Profile that is used when none was ever chosen. */
export const DEFAULT_PROFILE = "default";

/** Values of properties that a file does not have. */
export const CONFIG_DEFAULTS: Config = { profiles: {}, current: DEFAULT_PROFILE, aliases: {} };

/** Version of the file's format. A change of the format raises it, and adds an entry to `CONFIG_MIGRATIONS`. */
export const CONFIG_VERSION = "1.0.0";

/** The part of JSON Schema that `CONFIG_SCHEMA` uses. */
type Schema =
  | { readonly type: "string" }
  | { readonly type: "array"; readonly items: Schema }
  | {
      readonly type: "object";
      readonly properties?: Readonly<Record<string, Schema>>;
      readonly additionalProperties?: Schema;
    };

const TEXT = { type: "string" } as const;

/** JSON Schema of the file's properties. */
export const CONFIG_SCHEMA = {
  profiles: {
    type: "object",
    additionalProperties: {
      type: "object",
      properties: { baseUrl: TEXT, secret: TEXT, name: TEXT, refreshToken: TEXT, expiresAt: TEXT },
    },
  },
  current: TEXT,
  aliases: { type: "object", additionalProperties: { type: "array", items: TEXT } },
} as const satisfies Readonly<Record<keyof Config, Schema>>;

/** The content of a file of an earlier version. */
type Content = Readonly<Record<string, unknown>>;

/** Turns the content of an earlier version into that of the version by which it is named, in order. */
export const CONFIG_MIGRATIONS: Readonly<Record<string, (content: Content) => Content>> = {
  // Files without a version may hold profiles and properties of other types, which were ignored.
  "1.0.0": (content) =>
    isRecord(content.profiles) ? { ...content, profiles: mapValues(content.profiles, keepTexts) } : content,
};

const keepTexts = (profile: unknown): Content =>
  Object.fromEntries(Object.entries(isRecord(profile) ? profile : {}).filter(([, value]) => typeof value === "string"));

const mapValues = (record: Content, map: (value: unknown) => unknown): Content =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

/**
 * Returns the first fault of a file's content, such as `profiles.work.secret is no text`; undefined if there is none.
 */
export function findConfigFault(content: Content): string | undefined {
  return findFault({ type: "object", properties: CONFIG_SCHEMA }, content, []);
}

function findFault(schema: Schema, value: unknown, path: readonly string[]): string | undefined {
  if (schema.type === "string") return typeof value === "string" ? undefined : `${path.join(".")} is no text`;
  if (schema.type === "array") {
    if (!Array.isArray(value)) return `${path.join(".")} is no list`;
    return value.map((item, index) => findFault(schema.items, item, [...path, String(index)])).find((one) => one);
  }
  if (!isRecord(value)) return `${path.join(".")} is no object`;
  const { properties = {}, additionalProperties } = schema;
  for (const [name, inner] of Object.entries(value)) {
    const innerSchema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    const fault = innerSchema && findFault(innerSchema, inner, [...path, name]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
