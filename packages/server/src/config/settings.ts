import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import ipaddr from "ipaddr.js";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { defaultsByExposure, isExposed } from "./exposure.ts";
import { describeUnknownVariables, suggestName } from "./setting-names.ts";

const PORT_MESSAGE = "must be a whole number from 0 to 65535";
const port = z.coerce.number(PORT_MESSAGE).int(PORT_MESSAGE).min(0, PORT_MESSAGE).max(65535, PORT_MESSAGE);
const seconds = z.coerce.number().positive().max(86_400);
const percent = z.coerce.number().min(0).max(100);
const onOff = z
  .enum(["on", "off", "1", "0", "true", "false"])
  .transform((value) => value === "on" || value === "1" || value === "true");

/** Transformed to the origin. Invalid URLs are reported by the schema before. */
const publicUrl = z
  .url({ protocol: /^https?$/ })
  .refine(
    (text) => !URL.canParse(text) || new URL(text).href === `${new URL(text).origin}/`,
    "it may hold no path, query or password: the site is served at the root of a host, such as https://models.example.com",
  )
  .transform((text) => (URL.canParse(text) ? new URL(text).origin : text));

const backend = z.strictObject({
  name: z.string().min(1).max(64),
  base_url: z.url({ protocol: /^https?$/ }),
  api_key: z.string().optional(),
  models: z.array(z.string()).default([]),
  weight: z.number().positive().default(1),
  parameters: z.array(z.string().min(1).max(64)).optional(),
});

const signInProvider = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/),
  name: z.string().min(1).max(64).optional(),
  issuer: z.url({ protocol: /^https?$/ }).optional(),
  client_id: z.string().min(1),
  client_secret: z.string().min(1).optional(),
  scope: z.string().optional(),
});

/** A sign-in provider: `github`, `google` and `huggingface` are preset, any other needs its OpenID Connect issuer. */
export type SignInProviderSetting = z.infer<typeof signInProvider>;

/** Keywords of proxy-addr for local networks. */
const PROXY_KEYWORDS = ["loopback", "linklocal", "uniquelocal"];
const trustedProxies = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .refine(
    (list) => list.every((part) => PROXY_KEYWORDS.includes(part) || isIP(part) !== 0 || ipaddr.isValidCIDR(part)),
    "each must be an address, a network such as 10.0.0.0/8, or one of loopback, linklocal and uniquelocal",
  );

/** Paths below /api/auth that are in use. */
const RESERVED_PROVIDER_IDS = ["sessions", "totp", "passkeys"];
const PRESET_PROVIDERS = ["github", "google", "huggingface"];
const signInProviders = z.preprocess(
  (value) => (typeof value === "string" ? parseJson(value) : value),
  z
    .array(signInProvider)
    .refine(
      (list) => !list.some(({ id }) => RESERVED_PROVIDER_IDS.includes(id)),
      `a provider cannot be called ${RESERVED_PROVIDER_IDS.join(" or ")}`,
    )
    .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, "two providers have the same id")
    .refine(
      (list) => list.every(({ id, issuer }) => issuer !== undefined || PRESET_PROVIDERS.includes(id)),
      "a provider other than github, google and huggingface needs its issuer",
    ),
);

/** A configured backend: an OpenAI-compatible address and the models to use (all that it lists if empty). */
export type BackendSetting = z.infer<typeof backend>;

const backends = z.preprocess((value) => (typeof value === "string" ? parseJson(value) : value), z.array(backend));

/** Every setting: documentation, schema and default. No other code reads the environment. */
export const SETTINGS = {
  FEATHER_PORT: { doc: "Port to listen on.", schema: port, default: "4000" },
  FEATHER_HOST: {
    doc: "Address to listen on; 0.0.0.0 lets other machines in.",
    schema: z.string().min(1),
    default: "127.0.0.1",
  },
  FEATHER_PUBLIC_URL: {
    doc: "Address under which people reach the site, without a path, such as https://models.example.com; by default host and port.",
    schema: publicUrl.optional(),
    default: undefined,
  },
  FEATHER_INSECURE: {
    doc: "Whether the server may start without HTTPS where other machines can reach it; only for a network whose every machine is trusted.",
    schema: onOff,
    default: "off",
  },
  FEATHER_DATA_DIR: { doc: "Folder of the embedded database.", schema: z.string().min(1), default: ".feather" },
  FEATHER_SECRET: {
    doc: "Secret that encrypts stored keys and signs links, at least 32 characters; by default made at the first start and kept in the data folder as secret.key. The database remembers which secret it was made with, and the server does not start with another.",
    schema: z.string().min(32).optional(),
    default: undefined,
    secret: true,
  },
  FEATHER_SECRET_PREVIOUS: {
    doc: "The former secret, for one start after FEATHER_SECRET was changed: what it encrypted is encrypted anew. Recovery codes of second factors end.",
    schema: z.string().min(32).optional(),
    default: undefined,
    secret: true,
  },
  FEATHER_PRODUCT_NAME: { doc: "Name shown in titles.", schema: z.string().min(1).max(60), default: "Feather" },
  FEATHER_CONTACT_EMAIL: {
    doc: "Where people reach the operator, such as about a plan by agreement or a sponsorship. Everybody can read it.",
    schema: z.email().max(254).optional(),
    default: undefined,
  },
  FEATHER_COMMUNITY_URL: {
    doc: "Address of the operator's community, such as a chat or a forum; /discord leads there.",
    schema: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .optional(),
    default: undefined,
  },
  FEATHER_ADMIN_EMAIL: {
    doc: "E-mail of the first admin; with FEATHER_ADMIN_PASSWORD the account is made at the first start.",
    schema: z.email().optional(),
    default: undefined,
  },
  FEATHER_ADMIN_PASSWORD: {
    doc: "Password of the first admin, 10 to 128 characters.",
    schema: z.string().min(10).max(128).optional(),
    default: undefined,
  },
  SMTP_URL: {
    doc: "Mail server, such as smtps://name:password@mail.example.com. Without one, messages rest in the outbox and e-mail addresses count as verified.",
    schema: z.url({ protocol: /^smtps?$/ }).optional(),
    default: undefined,
    secret: true,
  },
  FEATHER_MAIL_FROM: {
    doc: "Sender of messages.",
    schema: z.string().min(3).max(200),
    default: "Feather <feather@localhost>",
  },
  FEATHER_SIGN_IN_PROVIDERS: {
    doc: 'Providers to sign in with, as JSON: [{"id":"github","client_id","client_secret"}, {"id":"company","name","issuer","client_id","client_secret"}].',
    schema: signInProviders,
    default: "[]",
    secret: true,
  },
  FEATHER_COOKIE_DOMAIN: {
    doc: "Domain of the cookie that marks an admin acting as somebody else, so that sites beside this one see it: the host of FEATHER_PUBLIC_URL or a parent of it. By default the host alone.",
    schema: z
      .string()
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
      .optional(),
    default: undefined,
  },
  FEATHER_TRUSTED_PROXIES: {
    doc: "Addresses or networks of proxies in front, separated by commas, whose X-Forwarded-For is believed; `loopback` for this machine.",
    schema: trustedProxies.optional(),
    default: undefined,
  },
  FEATHER_BACKENDS: {
    doc: 'Backends, as JSON: [{"name","base_url","api_key","models":["owner/name"],"weight"}].',
    schema: backends,
    default: "[]",
  },
  FEATHER_DISCOVER: {
    doc: "Whether to look on this machine for running Ollama, LM Studio, llama-server and vLLM, and to trust what answers there. By default on where only this machine can reach the server, otherwise off.",
    schema: onOff.optional(),
    default: undefined,
  },
  FEATHER_FIRST_BYTE_TIMEOUT: { doc: "Seconds to wait for a backend's first byte.", schema: seconds, default: "120" },
  FEATHER_STREAM_IDLE_TIMEOUT: {
    doc: "Seconds of silence in mid-stream after which the stream fails.",
    schema: seconds,
    default: "60",
  },
  FEATHER_STREAM_KEEP_ALIVE: {
    doc: "Seconds of silence after which a stream sends a comment, so that proxies on the way keep it open.",
    schema: seconds,
    default: "15",
  },
  FEATHER_STALLED_TIMEOUT: {
    doc: "Seconds after which a caller who does not read the stream is cut off.",
    schema: seconds,
    default: "120",
  },
  FEATHER_DRAIN_TIMEOUT: {
    doc: "Seconds that running requests may take to end when the server is stopped; then their callers are told.",
    schema: seconds,
    default: "30",
  },
  FEATHER_SHUTDOWN_DELAY: {
    doc: "Seconds for which a server that was told to stop still takes requests while /api/health/ready is 503, so that load balancers turn away first. By default 5 where other machines can reach the server, otherwise 0.",
    schema: z.coerce.number().min(0).max(600).optional(),
    default: undefined,
  },
  FEATHER_COLD_STATUS: {
    doc: "Status for calls to a model that has to be loaded first: 503, or 400 for clients that expect that.",
    schema: z.enum(["400", "503"]).transform((value) => (value === "400" ? 400 : 503)),
    default: "503",
  },
  FEATHER_REMOTE_MEDIA: {
    doc: "Whether calls may name pictures and other media by address, which the backend then fetches: off takes only data URLs; https lets public https addresses through. Limit what backends may reach too (vLLM: --allowed-media-domains).",
    schema: z.enum(["off", "https"]),
    default: "off",
  },
  FEATHER_HUB_URL: {
    doc: "Address of the model hub, for models that the catalogue does not hold yet.",
    schema: z.url({ protocol: /^https?$/ }),
    default: "https://huggingface.co",
  },
  FEATHER_HUB_DIR: {
    doc: "A folder that stands for the model hub, with models in owner/name below it; nothing is asked of FEATHER_HUB_URL then.",
    schema: z.string().min(1).optional(),
    default: undefined,
  },
  FEATHER_HUB_TOKENS: {
    doc: "What becomes of a hub token that unlocked a gated model: drop it, or keep it encrypted to pull the model with.",
    schema: z.enum(["drop", "keep"]),
    default: "drop",
  },
  FEATHER_OUTGOING_ALLOW: {
    doc: "What may be reached at addresses that users name though it is not public, by commas: host, host:port, or a network such as 10.0.0.0/8.",
    schema: z.string().transform((text) =>
      text
        .split(",")
        .map((entry) => entry.trim())
        .filter(Boolean),
    ),
    default: "",
  },
  FEATHER_PAYMENTS: {
    doc: "How plans and credits are paid for: off sells nothing; test takes test cards, moves no money, and is refused where other machines can reach the server. By default test where only this machine can, otherwise off.",
    schema: z.enum(["off", "test"]).optional(),
    default: undefined,
  },
  FEATHER_MARKETPLACES: {
    doc: "Plans bought at cloud marketplaces: off, or test with made-up tokens, which is refused where other machines can reach the server. By default test where only this machine can, otherwise off.",
    schema: z.enum(["off", "test"]).optional(),
    default: undefined,
  },
  FEATHER_REGISTRATION: {
    doc: "Who may make an account: open for everybody, invite for those an admin has invited, approve for those an admin lets in afterwards, off for nobody. By default open where only this machine can reach the server, otherwise invite.",
    schema: z.enum(["open", "invite", "approve", "off"]).optional(),
    default: undefined,
  },
  FEATHER_REQUIRE_SECOND_FACTOR: {
    doc: "Who must have a second factor: off for nobody, admins, or all. Until they have set one up, their sessions can do nothing else.",
    schema: z.enum(["off", "admins", "all"]),
    default: "off",
  },
  FEATHER_APPLICATION_REVIEW: {
    doc: "Whether an admin must let a new OAuth application in before anybody can allow it. By default off where only this machine can reach the server, otherwise on.",
    schema: onOff.optional(),
    default: undefined,
  },
  FEATHER_TRIALS: {
    doc: "Whether plans may be tried; how long, each plan says.",
    schema: onOff,
    default: "on",
  },
  FEATHER_TAX_PERCENT: {
    doc: "Tax that is added to prices, in percent.",
    schema: percent,
    default: "0",
  },
  FEATHER_REFERRAL_CREDITS: {
    doc: "US dollars of credits for a friend who came by a referral code, and for who gave it, after the first payment.",
    schema: z.coerce.number().min(0).max(10_000),
    default: "5",
  },
  FEATHER_REFERRAL_PERCENT: {
    doc: "Percent of the payments of their friends' first twelve months that affiliates earn.",
    schema: percent,
    default: "20",
  },
  FEATHER_MODEL_MEMORY: {
    doc: "Megabytes of memory that models may take on this machine; by default 60 % of what it has.",
    schema: z.coerce.number().int().min(256).max(100_000_000).optional(),
    default: undefined,
  },
  FEATHER_MODEL_IDLE: {
    doc: "Seconds without a call after which a model is unloaded.",
    schema: seconds,
    default: "900",
  },
  FEATHER_ENGINE_SANDBOX: {
    doc: "Whether processes that run models are kept in a sandbox by bubblewrap (bwrap), on Linux: auto where it is installed and works, on to refuse to start without it, off never.",
    schema: z.enum(["auto", "on", "off"]),
    default: "auto",
  },
  FEATHER_MODEL_CONTEXT: {
    doc: "The most tokens of context that models get here; longer ones take more memory.",
    schema: z.coerce.number().int().min(256).max(1_048_576),
    default: "8192",
  },
  FEATHER_ANALYTICS_KEY: {
    doc: "Public key of a PostHog project that the site sends page views to; without one it sends nothing to anybody.",
    schema: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,200}$/)
      .optional(),
    default: undefined,
  },
  FEATHER_ANALYTICS_HOST: {
    doc: "Address of the PostHog server.",
    schema: z.url({ protocol: /^https?$/ }),
    default: "https://eu.i.posthog.com",
  },
  FEATHER_ANALYTICS_BEFORE_CONSENT: {
    doc: "Whether the site sends them before the visitor has chosen about cookies; a visitor's refusal holds either way.",
    schema: onOff,
    default: "off",
  },
  FEATHER_RATE_LIMITS: {
    doc: "Limits by address on signing in and up; off for load tests.",
    schema: onOff,
    default: "on",
  },
  FEATHER_LOG_LEVEL: {
    doc: "How much is logged: debug, info, warn, error or silent.",
    schema: z.enum(["debug", "info", "warn", "error", "silent"]),
    default: "info",
  },
  DATABASE_URL: {
    doc: "A PostgreSQL server to use instead of the embedded one.",
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    default: undefined,
  },
} as const;

type Name = keyof typeof SETTINGS;
type DeclaredSettings = { readonly [K in Name]: z.infer<(typeof SETTINGS)[K]["schema"]> };
/** Settings whose default depends on who can reach the server; `readSettings` always sets them. */
type ExposureSettings = keyof ReturnType<typeof defaultsByExposure>;
/** The validated settings by name. */
export type Settings = Omit<DeclaredSettings, ExposureSettings> & {
  readonly [K in ExposureSettings]: NonNullable<DeclaredSettings[K]>;
};

/** Invalid settings; the message lists all problems for the operator. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * Reads the settings from the environment, then `feather.config.yaml`, then defaults. Throws a SettingsError that lists
 * all problems.
 */
export function readSettings(env: Record<string, string | undefined>, folder: string): Settings {
  const names = Object.keys(SETTINGS);
  const file = readConfigFile(resolve(folder, "feather.config.yaml"));
  const problems: string[] = Object.keys(file)
    .filter((key) => !(key in SETTINGS))
    .map((key) => `feather.config.yaml: ${key} is not a setting.${suggestName(key, names)}`);
  problems.push(...describeUnknownVariables(env, names));
  const values: Record<string, unknown> = {};
  for (const [name, { schema, default: fallback }] of Object.entries(SETTINGS)) {
    const envValue = env[name] === "" ? undefined : env[name];
    const parsed = schema.safeParse(envValue ?? file[name] ?? fallback);
    if (parsed.success) values[name] = parsed.data;
    else
      problems.push(
        ...parsed.error.issues.map((issue) => `${[name, ...issue.path].join(".")}: ${describeIssue(issue)}`),
      );
  }
  if ((values.FEATHER_ADMIN_EMAIL === undefined) !== (values.FEATHER_ADMIN_PASSWORD === undefined))
    problems.push("FEATHER_ADMIN_EMAIL and FEATHER_ADMIN_PASSWORD go together: set both or neither.");
  if (
    typeof values.FEATHER_COOKIE_DOMAIN === "string" &&
    !isInDomain(values.FEATHER_PUBLIC_URL, values.FEATHER_COOKIE_DOMAIN)
  )
    problems.push("FEATHER_COOKIE_DOMAIN must be the host of FEATHER_PUBLIC_URL, or a parent of it.");
  if (typeof values.FEATHER_HOST === "string") problems.push(...applyExposureDefaults(values, values.FEATHER_HOST));
  if (problems.length > 0)
    throw new SettingsError(`The settings are not valid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  return values as Settings;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const isNotANumber = issue.code === "invalid_type" && issue.expected === "number" && issue.message.endsWith("NaN");
  return isNotANumber ? "must be a number" : issue.message;
}

/** Whether the host of a URL is this domain or a subdomain of it. */
function isInDomain(address: unknown, domain: string): boolean {
  if (typeof address !== "string") return false;
  const { hostname } = new URL(address);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/**
 * Sets the defaults that depend on exposure. Returns problems with settings that are forbidden on an exposed server.
 */
function applyExposureDefaults(values: Record<string, unknown>, host: string): string[] {
  const exposed = isExposed(host, values.FEATHER_PUBLIC_URL as string | undefined);
  const forbidden = exposed
    ? ["FEATHER_PAYMENTS", "FEATHER_MARKETPLACES"].filter((name) => values[name] === "test")
    : [];
  for (const [name, fallback] of Object.entries(defaultsByExposure(exposed))) values[name] ??= fallback;
  return forbidden.map(
    (name) =>
      `${name}: test gives plans and credits to everybody who can reach the server. It needs FEATHER_HOST on ` +
      "loopback and FEATHER_PUBLIC_URL on this machine, or leave it out.",
  );
}

function readConfigFile(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  try {
    const value: unknown = parseYaml(readFileSync(path, "utf8"));
    if (value === null) return {};
    if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new Error("it must hold names and values.");
  } catch (error) {
    throw new SettingsError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the schema reports what it should be
  }
}
