import { z } from "zod";
import { isNetwork } from "../platform/core/network/networks.ts";
import { httpUrl, onOff, type SettingDeclarations, type SettingsOf, seconds } from "../platform/core/settings.ts";

const PORT_MESSAGE = "must be a whole number from 0 to 65535";
const port = z.coerce.number(PORT_MESSAGE).int(PORT_MESSAGE).min(0, PORT_MESSAGE).max(65535, PORT_MESSAGE);

/** Transforms a URL to its origin. The schema before it reports invalid URLs. */
const publicUrl = httpUrl
  .refine(
    (text) => !URL.canParse(text) || new URL(text).href === `${new URL(text).origin}/`,
    "it may hold no path, query or password: the site is served at the root of a host, such as https://models.example.com",
  )
  .transform((text) => (URL.canParse(text) ? new URL(text).origin : text));

const WORKERS_MESSAGE = "must be a whole number from 1 to 16";

/** An address that other machines can use without changes. */
const replicaAddress = z
  .url({ protocol: /^http$/, error: "must be an address such as http://10.0.0.5:4001" })
  .refine(
    (text) => !URL.canParse(text) || (new URL(text).port !== "" && new URL(text).href === `${new URL(text).origin}/`),
    "it needs a port, and may hold no path, query or password",
  )
  .refine(
    (text) => !URL.canParse(text) || !["0.0.0.0", "[::]"].includes(new URL(text).hostname),
    "other servers must be able to use it: name an address of this machine",
  )
  .transform((text) => (URL.canParse(text) ? new URL(text).origin : text));

/** Names of local networks that proxy-addr knows. */
const PROXY_KEYWORDS = ["loopback", "linklocal", "uniquelocal"];
const trustedProxies = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .refine(
    (list) => list.every((part) => PROXY_KEYWORDS.includes(part) || isNetwork(part)),
    "each must be an address, a network such as 10.0.0.0/8, or one of loopback, linklocal and uniquelocal",
  );

/** Settings of the address, the exposure, the stop and the log of the server. */
export const serverSettings = {
  port: { env: "FEATHER_PORT", doc: "Port to listen on.", schema: port, default: "4000" },
  host: {
    env: "FEATHER_HOST",
    doc: "Address to listen on; 0.0.0.0 lets other machines in.",
    schema: z.string().min(1),
    default: "127.0.0.1",
  },
  publicUrl: {
    env: "FEATHER_PUBLIC_URL",
    doc: "Address under which people reach the site, without a path, such as https://models.example.com; by default host and port.",
    schema: publicUrl.optional(),
    default: undefined,
    editable: true,
  },
  insecure: {
    env: "FEATHER_INSECURE",
    doc: "Whether the server may start without HTTPS where other machines can reach it; only for a network whose every machine is trusted.",
    schema: onOff,
    default: "off",
  },
  trustedProxies: {
    env: "FEATHER_TRUSTED_PROXIES",
    doc: "Addresses or networks of proxies in front, separated by commas, whose X-Forwarded-For is believed; `loopback` for this machine.",
    schema: trustedProxies.optional(),
    default: undefined,
  },
  cookieDomain: {
    env: "FEATHER_COOKIE_DOMAIN",
    doc: "Domain of the cookie that marks an admin acting as somebody else, so that sites beside this one see it: the host of FEATHER_PUBLIC_URL or a parent of it. By default the host alone.",
    schema: z
      .string()
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
      .optional(),
    default: undefined,
  },
  outgoingAllow: {
    env: "FEATHER_OUTGOING_ALLOW",
    doc: "What may be reached at addresses that users name though it is not public, by commas: host, host:port, or a network such as 10.0.0.0/8.",
    schema: z.string().transform((text) =>
      text
        .split(",")
        .map((entry) => entry.trim())
        .filter(Boolean),
    ),
    default: "",
  },
  rateLimits: {
    env: "FEATHER_RATE_LIMITS",
    doc: "Limits by address on signing in and up; off for load tests.",
    schema: onOff,
    default: "on",
  },
  replicaAddress: {
    env: "FEATHER_REPLICA_ADDRESS",
    doc: "Address at which this server listens for other servers on the same database, such as http://10.0.0.5:4001: with it, several may work on one database. Only they may be able to reach it. Without it, the server works on its database alone.",
    schema: replicaAddress.optional(),
    default: undefined,
  },
  role: {
    env: "FEATHER_ROLE",
    doc: "What this server does: all, or gateway for calls to models alone (/v1 and the same calls of deployments), beside servers with the role all on the same database.",
    schema: z.enum(["all", "gateway"]),
    default: "all",
  },
  workers: {
    env: "FEATHER_WORKERS",
    doc: "Processes that take requests, 1 to 16: more than one make use of more processor cores, each with about 250 MB of memory.",
    schema: z.coerce.number(WORKERS_MESSAGE).int(WORKERS_MESSAGE).min(1, WORKERS_MESSAGE).max(16, WORKERS_MESSAGE),
    default: "1",
  },
  drainTimeoutSeconds: {
    env: "FEATHER_DRAIN_TIMEOUT",
    doc: "Seconds that running requests may take to end when the server is stopped; then their callers are told.",
    schema: seconds,
    default: "30",
  },
  shutdownDelaySeconds: {
    env: "FEATHER_SHUTDOWN_DELAY",
    doc: "Seconds for which a server that was told to stop still takes requests while /api/health/ready is 503, so that load balancers turn away first. By default 5 where other machines can reach the server, otherwise 0.",
    schema: z.coerce.number().min(0).max(600).optional(),
    default: undefined,
    defaultByExposure: true,
  },
  logLevel: {
    env: "FEATHER_LOG_LEVEL",
    doc: "How much is logged: debug, info, warn, error or silent.",
    schema: z.enum(["debug", "info", "warn", "error", "silent"]),
    default: "info",
  },
  logFormat: {
    env: "FEATHER_LOG",
    doc: "Form of the log: json, text for a readable line each, or auto for text at a terminal and json elsewhere.",
    schema: z.enum(["auto", "text", "json"]),
    default: "auto",
  },
} as const satisfies SettingDeclarations;

/** The settings of the server itself. */
export type ServerSettings = SettingsOf<typeof serverSettings>;
