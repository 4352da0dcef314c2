import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { connect } from "node:tls";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { networkTrouble } from "../../network-trouble.ts";
import { durationText } from "../../output/time.ts";
import { proxyFor } from "../../proxy-address.ts";
import { siteOf } from "../../sign-in/client.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const PATIENCE = 10_000;
const DAY = 86_400_000;
/** Largest tolerated difference to the server's clock: tokens and receipts carry times. */
const SKEW = 60_000;

/** Checks the way to the server: proxy, DNS, TLS, and whether a Feather server responds. */
export async function checkNetwork(context: Context, { baseUrl }: Settings): Promise<readonly Check[]> {
  const url = new URL(baseUrl);
  const proxy = proxyFor(url, context.io.env.proxies);
  if (proxy !== undefined) return [ok("proxy", proxy), ...(await checkServer(context, baseUrl))];
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
    const socket = connect({ host, port: Number(port || 443), timeout: PATIENCE, ...name });
    const end = (check: Check) => {
      socket.destroy();
      resolve(check);
    };
    socket.once("secureConnect", () => {
      const { valid_to: text } = socket.getPeerCertificate();
      const left = Date.parse(text) - now.getTime();
      const detail = `${socket.getProtocol()}, certificate until ${text}`;
      end(
        left < 14 * DAY
          ? warn("encryption", detail, "the operator has to renew the certificate")
          : ok("encryption", detail),
      );
    });
    socket.once("timeout", () =>
      end(fail("encryption", "no answer within 10 s", "check the address and the firewall")),
    );
    socket.once("error", (error) => {
      const { why, hint } = networkTrouble(error);
      end(fail("encryption", why, hint));
    });
  });
}

/** Checks that the server responds, its version, and its clock. */
async function checkServer(context: Context, baseUrl: string): Promise<readonly Check[]> {
  const { now } = context;
  const began = now();
  let answer: Response;
  try {
    const request = new Request(`${siteOf(baseUrl)}/api/config`);
    answer = await (await context.fetch())(request, {
      signal: AbortSignal.any([context.signal, AbortSignal.timeout(PATIENCE)]),
    });
  } catch (error) {
    if (context.signal.aborted) throw error;
    const { why, hint } = networkTrouble(error);
    return [fail("server", why, hint)];
  }
  const took = now().getTime() - began.getTime();
  const text = await answer.text();
  const version = versionIn(text);
  if (!answer.ok || version === undefined) {
    const detail = answer.ok ? "what answers is not a Feather server" : `it answered with status ${answer.status}`;
    return [fail("server", detail, "check the address: --base-url, or FEATHER_BASE_URL")];
  }
  return [
    ok("server", `Feather ${version}, answered after ${took} ms`),
    checkVersions(context, version),
    checkClock(answer, now()),
  ];
}

function checkVersions({ version: mine, settings }: Context, server: string): Check {
  const [theirMajor, theirMinor] = server.split(".").map(Number);
  const [major, minor] = mine.split(".").map(Number);
  const detail = `this program ${mine}, server and contract ${server}`;
  if (major === theirMajor && (major !== 0 || minor === theirMinor)) return ok("versions", detail);
  return warn("versions", detail, `some calls may differ: npm install -g ${siteOf(settings().baseUrl)}/cli.tgz`);
}

function checkClock(answer: Response, now: Date): Check {
  const theirs = Date.parse(answer.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return ok("clock", "the server does not tell its time");
  const skew = now.getTime() - theirs;
  if (Math.abs(skew) <= SKEW) return ok("clock", "as the server's");
  const detail = `${durationText(Math.abs(skew))} ${skew > 0 ? "ahead of" : "behind"} the server's`;
  return warn("clock", detail, "set the clock of this machine: sign-ins may end too early");
}

function versionIn(text: string): string | undefined {
  try {
    const config: unknown = JSON.parse(text);
    const version = typeof config === "object" && config !== null && "version" in config ? config.version : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
