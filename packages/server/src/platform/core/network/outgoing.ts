import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher, fetch as undiciFetch } from "undici";
import { bind } from "../bind.ts";
import { type AppError, errors } from "../errors/index.ts";
import { isInNetwork, isNetwork, isPublicAddress } from "./networks.ts";

/** Resolves all addresses of a host name, like `dns.lookup` with `all`; replaceable in tests. */
type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** Options of the guarded HTTP client. */
export type OutgoingOptions = {
  /** Non-public targets that are allowed: `host`, `host:port`, an address, or a network such as `10.0.0.0/8`. */
  allow?: readonly string[];
  resolve?: Resolve;
  connectTimeoutMs?: number;
  /** The timeout for response headers and between chunks of the body, in milliseconds. */
  idleTimeoutMs?: number;
};

type OutgoingInit = Omit<NonNullable<Parameters<typeof undiciFetch>[1]>, "dispatcher" | "redirect"> & {
  /** By default, redirects are returned like other responses. With `follow`, each target is checked too. */
  redirect?: "manual" | "follow";
  /** The timeout of this request for response headers and between chunks of the body, in milliseconds. */
  idleTimeoutMs?: number;
};

/** A response of the guarded HTTP client. */
export type OutgoingResponse = Awaited<ReturnType<typeof undiciFetch>>;

/**
 * An HTTP client for URLs that somebody other than the operator has entered (SSRF guard). It resolves names itself and
 * connects only to the addresses that it has checked, so that neither DNS rebinding nor a redirect leads to a private
 * address. Refused addresses throw `outgoing.address_refused`; connection errors throw as with `fetch`.
 */
export type Outgoing = {
  fetch(url: string | URL, init?: OutgoingInit): Promise<OutgoingResponse>;
  /**
   * Parses a URL. Throws `invalid_request` for other schemes and for credentials in the URL, and `outgoing.address_refused`
   * for private addresses.
   */
  check(url: string | URL): URL;
  /** Does what `check` does, and resolves the host name. A name that cannot be resolved now is accepted. */
  checkReachable(url: string | URL): Promise<URL>;
  /** The dispatcher for undici clients that send requests themselves. */
  dispatcher: Agent;
  /** The connector for agents with their own connection pools. */
  connect: buildConnector.connector;
  close(): Promise<void>;
};

const DEFAULT_PORTS: Record<string, string> = { "http:": "80", "https:": "443" };

/** The targets that are allowed in addition to public addresses, and the resolver of names. */
type Guard = {
  /** Host names and addresses, in lower case, with or without a port. */
  hosts: ReadonlySet<string>;
  networks: readonly string[];
  resolve: Resolve;
};

/** Creates the guarded HTTP client. */
export function createOutgoing({
  allow = [],
  resolve = resolveWithSystem,
  connectTimeoutMs = 5_000,
  idleTimeoutMs = 15_000,
}: OutgoingOptions = {}): Outgoing {
  const guard: Guard = {
    hosts: new Set(allow.filter((entry) => !isNetwork(entry)).map((entry) => entry.toLowerCase())),
    networks: allow.filter(isNetwork),
    resolve,
  };
  const connect = createConnector(guard, connectTimeoutMs);
  const dispatcher = new Agent({ connect, headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs, maxOrigins: 256 });

  return {
    ...bind(guard, { check: checkUrl, checkReachable }),
    dispatcher,
    connect,
    async fetch(url, { redirect = "manual", idleTimeoutMs: ownIdleTimeoutMs, ...init } = {}) {
      const used = ownIdleTimeoutMs === undefined ? dispatcher : dispatcher.compose(waitFor(ownIdleTimeoutMs));
      try {
        return await undiciFetch(checkUrl(guard, url), { ...init, redirect, dispatcher: used });
      } catch (error) {
        throw findRefusal(error) ?? error; // `checkUrl` throws an AppError already
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** Returns what gives requests another idle timeout than that of their connections. */
function waitFor(idleTimeoutMs: number): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch({ ...options, headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs }, handler);
}

function createConnector(guard: Guard, timeoutMs: number): buildConnector.connector {
  const connectors = new Map(
    [true, false].map((isTrusted) => [
      isTrusted,
      buildConnector({ lookup: createLookup(guard, isTrusted), timeout: timeoutMs } as buildConnector.BuildOptions),
    ]),
  );
  return (options, callback) => {
    const hostname = options.hostname.replace(/^\[(.*)\]$/, "$1");
    const isTrusted = isAllowedHost(guard, options.hostname, options.port || (DEFAULT_PORTS[options.protocol] ?? ""));
    // Node connects to IP addresses without calling `lookup`.
    if (!isTrusted && isIP(hostname.replace(/%.*$/, "")) !== 0 && !isAllowedAddress(guard, hostname))
      return callback(new AddressRefusedError(hostname), null);
    connectors.get(isTrusted)?.(options, callback);
  };
}

function createLookup(guard: Guard, isTrusted: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveAllowed(guard, hostname, isTrusted).then(
      (addresses) => {
        const first = addresses[0];
        if (first === undefined) return callback(hostNotFound(hostname), "", 0);
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}

/** Resolves a name. Throws if one of its addresses is private, unless the host is trusted. */
async function resolveAllowed(guard: Guard, hostname: string, isTrusted: boolean): Promise<LookupAddress[]> {
  const addresses = await guard.resolve(hostname.replace(/\.$/, ""));
  const refused = isTrusted ? undefined : addresses.find(({ address }) => !isAllowedAddress(guard, address));
  if (refused) throw new AddressRefusedError(hostname);
  return addresses;
}

function isAllowedHost({ hosts }: Guard, hostname: string, port: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return hosts.has(host) || hosts.has(`${host}:${port}`);
}

function isAllowedAddress({ networks }: Guard, address: string): boolean {
  return isPublicAddress(address) || networks.some((network) => isInNetwork(address, network));
}

function checkUrl(guard: Guard, url: string | URL): URL {
  const parsed = URL.canParse(String(url)) ? new URL(url) : null;
  if (parsed === null) throw errors.invalidRequest("The address is not a valid URL.");
  if (!(parsed.protocol in DEFAULT_PORTS))
    throw errors.invalidRequest("The address must start with https:// or http://.");
  if (parsed.username || parsed.password)
    throw errors.invalidRequest("The address must not hold a user name or a password.");
  const port = parsed.port || (DEFAULT_PORTS[parsed.protocol] ?? "");
  const hostname = parsed.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(hostname) !== 0 && !isAllowedHost(guard, parsed.hostname, port) && !isAllowedAddress(guard, hostname))
    throw addressRefused(hostname);
  return parsed;
}

async function checkReachable(guard: Guard, url: string | URL): Promise<URL> {
  const parsed = checkUrl(guard, url);
  const hostname = parsed.hostname.replace(/^\[(.*)\]$/, "$1");
  const isTrusted = isAllowedHost(guard, parsed.hostname, parsed.port || (DEFAULT_PORTS[parsed.protocol] ?? ""));
  if (isIP(hostname) === 0)
    await resolveAllowed(guard, hostname, isTrusted).catch((error: unknown) => {
      if (error instanceof AddressRefusedError) throw addressRefused(hostname);
    });
  return parsed;
}

/** The error of a refused connection. Clients that send requests themselves see it as a connection error. */
class AddressRefusedError extends Error {
  readonly hostname: string;
  constructor(hostname: string) {
    super(`${hostname} is not a public address. The operator can allow it with FEATHER_OUTGOING_ALLOW.`);
    this.name = "AddressRefused";
    this.hostname = hostname;
  }
}

/** Returns the refusal among the causes of a `fetch` error; null without one. */
function findRefusal(error: unknown): AppError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AddressRefusedError) return addressRefused(cause.hostname);
  return null;
}

function addressRefused(hostname: string): AppError {
  return errors.outgoing.addressRefused(new AddressRefusedError(hostname).message);
}

function hostNotFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address.`), { code: "ENOTFOUND" });
}

function resolveWithSystem(hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true, verbatim: true }, (error, addresses) =>
      error ? reject(error) : resolve(addresses),
    );
  });
}
