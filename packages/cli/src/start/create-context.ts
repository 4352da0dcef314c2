import type { FeatherOptions, Fetch } from "@feather/sdk";
import { createBaseFetch } from "../base-fetch.ts";
import { configPath, restrictPermissions } from "../config/config-file.ts";
import { DEFAULT_PROFILE } from "../config/config-schema.ts";
import { DEFAULT_BASE_URL, loadSettings, type Settings } from "../config/settings.ts";
import type { Context, GlobalFlags, Runtime } from "../context.ts";
import { SignInError } from "../errors.ts";
import { toUserAgent } from "../network/user-agent.ts";
import { createOutput, type OutputContext } from "../output/index.ts";
import type { Io } from "../output/io.ts";
import type { WaitLine } from "../output/waits/wait-line.ts";
import { createPrompts } from "../prompts.ts";
import { createRetryNotice } from "../retry-notice.ts";
import type { Credential } from "../sign-in/credential.ts";

/** Calls that run no model are answered in less time, in milliseconds. */
const TIMEOUT_MS = 60_000;
/** Longer waits that a server asks for are reported instead of waiting silently. */
const MAX_RETRY_AFTER_MS = 3000;

/** What a context needs to know about the command line. */
export type Invocation = Pick<OutputContext, "argv" | "filter" | "measure"> & {
  readonly version: string;
  readonly flags: GlobalFlags;
  /** Whether the command may name a profile that does not exist yet. */
  readonly allowsNewProfile: boolean;
};

/** Creates the context of one command. Nothing is read or loaded before it is used. */
export function createContext(
  io: Io,
  { flags, argv, filter, measure, allowsNewProfile, version }: Invocation,
  { signal, now, sleep, openUrl, programs }: Runtime,
): Context {
  const loadUiModule = () => import("../ui/index.ts");
  const output = createOutput(io, flags, { now, argv, filter, measure, loadUi: loadUiModule });
  const hasTerminal = io.stdin.isTTY === true && io.stderr.isTTY === true;
  const interactive = hasTerminal && flags.input && !io.env.ci && !io.env.dumb && output.mode !== "agent";
  let loadedSettings: Settings | undefined;
  let credentialPromise: Promise<Credential> | undefined;

  function settings(): Settings {
    if (loadedSettings !== undefined) return loadedSettings;
    loadedSettings = loadSettings({ ...flags, allowsNewProfile }, io.env);
    if (restrictPermissions(io.env.configDir))
      output.info(`Others on this machine could read ${configPath(io.env.configDir)}; it is closed to them now.`);
    return loadedSettings;
  }

  /** Prints a message about a request, unless a prompt or another display owns the terminal at that time. */
  function reportRequest(text: string): void {
    if (!(io.stderr.isTTY === true && output.waits.isSuspended())) output.info(text);
  }

  /** Returns the stored token that renews itself. */
  function credential(): Promise<Credential> {
    const { profile } = settings();
    const deps = { dir: io.env.configDir, profile, signal, now, sleep, oauth: context.createOAuth };
    credentialPromise ??= import("../sign-in/credential.ts").then(({ createCredential }) => createCredential(deps));
    return credentialPromise;
  }

  /** Returns the options that all clients of a server share. */
  async function createClientOptions(baseUrl: string) {
    return {
      baseUrl,
      fetch: await context.fetch(),
      headers: { "user-agent": toUserAgent(version) },
      timeout: TIMEOUT_MS,
      maxRetryAfter: MAX_RETRY_AFTER_MS,
      logger: createRetryNotice(reportRequest, now),
    } satisfies FeatherOptions;
  }

  const context: Context = {
    io,
    flags,
    output,
    signal,
    now,
    sleep,
    openUrl,
    programs,
    version,
    interactive,
    settings,
    async secret() {
      const { secret, renewable } = settings();
      return renewable ? (await credential()).secret() : secret;
    },
    client() {
      const { secret, renewable } = settings();
      return context.createClient(renewable ? async () => (await credential()).secret() : secret);
    },
    async signedInClient() {
      context.requireSignIn();
      return context.client();
    },
    requireSignIn: () => requireCredential(settings()),
    createClient: (secret) => context.createClientFor(settings().baseUrl, secret),
    async createClientFor(baseUrl, secret) {
      const { createFeather } = await import("@feather/sdk");
      const credential = secret === undefined ? { apiKey: null } : { token: secret };
      return createFeather({ ...(await createClientOptions(baseUrl)), ...credential });
    },
    async createOAuth() {
      const { createOAuth } = await import("@feather/sdk/oauth");
      const { CLIENT_ID } = await import("../sign-in/client.ts");
      return createOAuth({
        ...(await createClientOptions(settings().baseUrl)),
        clientId: CLIENT_ID,
        now: () => now().getTime(),
        sleep: (milliseconds, end = signal) => sleep(milliseconds, end),
      });
    },
    async fetch() {
      const baseFetch = await createBaseFetch(io.env);
      const loggedFetch =
        flags.debug || io.env.debug
          ? (await import("../network/request-log.ts")).logRequests(baseFetch, reportRequest, now)
          : baseFetch;
      const shownFetch = showWaits(loggedFetch, output.waits);
      return settings().renewable ? (await credential()).fetch(shownFetch) : shownFetch;
    },
    ...createPrompts({ io, signal, waits: output.waits, loadUiModule, interactive, yes: flags.yes }),
  };
  return context;
}

/** Throws `SignInError`, which names the command to sign in, if there is no credential. */
function requireCredential({ secret, baseUrl, profile }: Settings): void {
  if (secret !== undefined) return;
  const server = baseUrl === DEFAULT_BASE_URL ? "" : ` --base-url ${baseUrl}`;
  const hint = `feather login${server}${profile === DEFAULT_PROFILE ? "" : ` --profile ${profile}`}`;
  throw new SignInError(`nobody is signed in on ${new URL(baseUrl).host}`, hint);
}

/** Returns a `fetch` during which the line of waits says that the server is waited for. */
function showWaits(baseFetch: Fetch, waits: WaitLine): Fetch {
  return async (request, init) => {
    const wait = waits.begin();
    try {
      const response = await baseFetch(request, init);
      wait.end();
      return response;
    } catch (error) {
      wait.fail();
      throw error;
    }
  };
}
