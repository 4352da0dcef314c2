import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { explainNetworkError } from "../../network/network-errors.ts";
import { findProxy } from "../../network/proxy-address.ts";
import { toUserAgent } from "../../network/user-agent.ts";
import { formatDuration } from "../../output/time.ts";
import { DAY_MS } from "../../time.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const TIMEOUT_MS = 10_000;
/** Largest tolerated difference to the server's clock: tokens and receipts carry times. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** Checks the way to the server: proxy, DNS, TLS, and whether a Feather server responds. */
export async function checkNetwork(context: Context, { baseUrl }: Settings): Promise<readonly Check[]> {
  const url = new URL(baseUrl);
  const proxy = findProxy(url, context.io.env.proxies);
  if (proxy !== undefined) {
    const checks = await checkServer(context, baseUrl);
    return checks.some(({ name }) => name === "proxy") ? checks : [ok("proxy", proxy), ...checks];
  }
  const name = await checkName(url.hostname);
  if (name.state === "fail") return [ok("proxy", "none"), name];
  const tls = url.protocol === "https:" ? [await checkTls(url, context.now())] : [];
  return [ok("proxy", "none"), name, ...tls, ...(await checkServer(context, baseUrl))];
}

async function checkName(hostname: string): Promise<Check> {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return ok("name", `${host} is an address already`);
  try {
    const found = await lookup(host, { all: true });
    return ok("name", `${host} is ${found.map(({ address }) => address).join(", ")}`);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return fail("name", `${host} is not found (${code})`, "check the spelling of the address, and this machine's DNS");
  }
}

function checkTls({ hostname, port }: URL, now: Date): Promise<Check> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, "");
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port: Number(port || 443), timeout: TIMEOUT_MS, ...name });
    const finish = (check: Check) => {
      socket.destroy();
      resolve(check);
    };
    socket.once("secureConnect", () => {
      const { valid_to: text } = socket.getPeerCertificate();
      const remainingMs = Date.parse(text) - now.getTime();
      const detail = `${socket.getProtocol()}, certificate until ${text}`;
      finish(
        remainingMs < 14 * DAY_MS
          ? warn("encryption", detail, "the operator has to renew the certificate")
          : ok("encryption", detail),
      );
    });
    socket.once("timeout", () =>
      finish(fail("encryption", "no answer within 10 s", "check the address and the firewall")),
    );
    socket.once("error", (error) => {
      const { reason, hint } = explainNetworkError(error);
      finish(fail("encryption", reason, hint));
    });
  });
}

/** Checks that the server responds, its version and its clock. If a proxy cannot be reached, returns that instead. */
async function checkServer(context: Context, baseUrl: string): Promise<readonly Check[]> {
  const { now } = context;
  const startedAt = now();
  let response: Response;
  try {
    const request = new Request(`${baseUrl}/api/config`, {
      headers: { "user-agent": toUserAgent(context.version) },
    });
    response = await (await context.fetch())(request, {
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch (error) {
    if (context.signal.aborted) throw error;
    const { reason, hint, isProxy } = explainNetworkError(error);
    return [fail(isProxy ? "proxy" : "server", reason, hint)];
  }
  const durationMs = now().getTime() - startedAt.getTime();
  const text = await response.text();
  const version = parseVersion(text);
  if (!response.ok || version === undefined) {
    const detail = response.ok ? "what answers is not a Feather server" : `it answered with status ${response.status}`;
    return [fail("server", detail, "check the address: --base-url, or FEATHER_BASE_URL")];
  }
  return [
    ok("server", `Feather ${version}, answered after ${durationMs} ms`),
    checkVersions(context, version),
    checkClock(response, now()),
  ];
}

function checkVersions({ version: cliVersion, settings }: Context, serverVersion: string): Check {
  const [serverMajor, serverMinor] = serverVersion.split(".").map(Number);
  const [major, minor] = cliVersion.split(".").map(Number);
  const detail = `this program ${cliVersion}, server and contract ${serverVersion}`;
  if (major === serverMajor && (major !== 0 || minor === serverMinor)) return ok("versions", detail);
  return warn("versions", detail, `some calls may differ: npm install -g ${settings().baseUrl}/cli.tgz`);
}

function checkClock(response: Response, now: Date): Check {
  const serverTime = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(serverTime)) return ok("clock", "the server does not tell its time");
  const skew = now.getTime() - serverTime;
  if (Math.abs(skew) <= MAX_CLOCK_SKEW_MS) return ok("clock", "as the server's");
  const detail = `${formatDuration(Math.abs(skew))} ${skew > 0 ? "ahead of" : "behind"} the server's`;
  return warn("clock", detail, "set the clock of this machine: sign-ins may end too early");
}

function parseVersion(text: string): string | undefined {
  try {
    const config: unknown = JSON.parse(text);
    const version = typeof config === "object" && config !== null && "version" in config ? config.version : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
