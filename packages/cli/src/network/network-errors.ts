/** A request that goes through a proxy failed before there was a response. The cause says how. */
export class ProxyConnectionError extends Error {
  override readonly name = "ProxyConnectionError";
  /** The address of the proxy, without its password. */
  readonly proxy: string;
  constructor(proxy: string, cause: unknown) {
    super(`The request failed on its way through the proxy ${proxy}.`, { cause });
    this.proxy = proxy;
  }
}

/** Why a connection failed, and what to do about it. */
export type NetworkErrorExplanation = {
  readonly code: string | undefined;
  readonly reason: string;
  readonly hint: string;
  /** Whether the proxy cannot be reached, so that nothing is known about the server. */
  readonly isProxy: boolean;
};

const PROXY_HINT = "check HTTPS_PROXY and HTTP_PROXY, or NO_PROXY for this server";
const ADDRESS_HINT = "check the address: --base-url, or FEATHER_BASE_URL";
const CERTIFICATE_HINT =
  "the server's operator has to mend it; NODE_EXTRA_CA_CERTS=<file> trusts an authority of your own";

const EXPLANATIONS: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ECONNREFUSED: ["nothing listens at that address and port", `is the server running? Else ${ADDRESS_HINT}`],
  ENOTFOUND: ["no machine has that name", ADDRESS_HINT],
  EAI_AGAIN: ["names cannot be looked up just now", "check the connection of this machine, and its DNS"],
  ETIMEDOUT: ["nobody answered in time", `check the firewall and the proxy, or ${ADDRESS_HINT}`],
  UND_ERR_CONNECT_TIMEOUT: ["nobody answered in time", `check the firewall and the proxy, or ${ADDRESS_HINT}`],
  EHOSTUNREACH: ["there is no way to that machine", "check the connection of this machine"],
  ENETUNREACH: ["there is no way to that network", "check the connection of this machine"],
  ECONNRESET: ["the connection was cut", "the same command again; check the proxy if it stays"],
  UND_ERR_SOCKET: ["the connection was cut", "the same command again; check the proxy if it stays"],
  EPROTO: [
    "what answers there does not speak TLS",
    "http:// instead of https://, if the server is on your own machine",
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: [
    "what answers there does not speak TLS",
    "http:// instead of https://, if the server is on your own machine",
  ],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: [
    "what answers there does not speak TLS",
    "http:// instead of https://, if the server is on your own machine",
  ],
  CERT_HAS_EXPIRED: ["the server's certificate has ended", CERTIFICATE_HINT],
  CERT_NOT_YET_VALID: ["the server's certificate is not valid yet", "check the clock of this machine"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["the server's certificate is signed by itself", CERTIFICATE_HINT],
  SELF_SIGNED_CERT_IN_CHAIN: ["the server's certificate comes from an unknown authority", CERTIFICATE_HINT],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["the server's certificate comes from an unknown authority", CERTIFICATE_HINT],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["the server's certificate comes from an unknown authority", CERTIFICATE_HINT],
  ERR_TLS_CERT_ALTNAME_INVALID: ["the server's certificate is for another name", ADDRESS_HINT],
  PROXY_AUTH: [
    "the proxy wants a name and a password (407)",
    "HTTPS_PROXY=http://name:password@proxy:port, or NO_PROXY for this server",
  ],
  BAD_PORT: ["that port is none that programs may call", ADDRESS_HINT],
  PROXY: ["the proxy let nothing through", PROXY_HINT],
};
/** Codes of connections that were never made. With a proxy, the only connection that the program makes is to it. */
const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Explains a connection error by the first known code in its chain of causes. */
export function explainNetworkError(error: unknown): NetworkErrorExplanation {
  const chain = collectCauses(error);
  const text = chain.map((one) => (one instanceof Error ? one.message : "")).join("\n");
  if (/\b407\b/.test(text) || /proxy authentication/i.test(text)) return explainCode("PROXY_AUTH");
  for (const one of chain) {
    const code = one instanceof Error && "code" in one && typeof one.code === "string" ? one.code : undefined;
    if (code === undefined || EXPLANATIONS[code] === undefined) continue;
    const proxied = chain.find((other) => other instanceof ProxyConnectionError);
    return proxied !== undefined && UNREACHABLE.has(code) ? explainProxy(proxied.proxy, code) : explainCode(code);
  }
  if (/\bbad port\b/.test(text)) return explainCode("BAD_PORT");
  if (/proxy/i.test(text)) return explainCode("PROXY");
  if (chain.some((one) => one instanceof Error && one.name === "TimeoutError")) return explainCode("ETIMEDOUT");
  const code = chain
    .map((one) => (one instanceof Error && "code" in one ? one.code : undefined))
    .find((one) => typeof one === "string");
  return {
    code: typeof code === "string" ? code : undefined,
    reason: typeof code === "string" ? code : "the server cannot be reached",
    hint: ADDRESS_HINT,
    isProxy: false,
  };
}

function explainCode(code: string): NetworkErrorExplanation {
  const [reason, hint] = EXPLANATIONS[code] ?? [code, ADDRESS_HINT];
  return { code, reason, hint, isProxy: false };
}

function explainProxy(proxy: string, code: string): NetworkErrorExplanation {
  const { reason } = explainCode(code);
  return { code, reason: `the proxy ${proxy} cannot be reached: ${reason}`, hint: PROXY_HINT, isProxy: true };
}

/** Returns an error with its chain of causes, including the errors of an `AggregateError`. */
function collectCauses(error: unknown, depth = 0): readonly unknown[] {
  if (!(error instanceof Error) || depth > 5) return [error];
  const inner = error instanceof AggregateError ? error.errors.flatMap((one) => collectCauses(one, depth + 1)) : [];
  return [error, ...inner, ...(error.cause === undefined ? [] : collectCauses(error.cause, depth + 1))];
}
