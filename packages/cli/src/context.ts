import type { Feather, Fetch } from "@feather/sdk";
import type { Branch } from "./commands/branch.ts";
import { closeToOthers, configPath, DEFAULT_PROFILE } from "./config/file.ts";
import { DEFAULT_BASE_URL, loadSettings, type Settings } from "./config/settings.ts";
import { InterruptedError, SignInError, UsageError } from "./errors.ts";
import { createOutput, type Output, type OutputFlags, type OutputOf } from "./output/index.ts";
import type { Io } from "./output/io.ts";
import type { Credential } from "./sign-in/credential.ts";

/** Flags that every command takes. */
export type GlobalFlags = OutputFlags & {
  readonly input: boolean;
  /** `--yes`: what cannot be undone is done without asking. */
  readonly yes: boolean;
  readonly baseUrl: string | undefined;
  readonly profile: string | undefined;
};

/** What a command does to the world besides calls and words. */
export type World = {
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Throws `InterruptedError` when the signal ends it. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Opens an address in the browser; false when there is none. */
  readonly openUrl: (address: string) => Promise<boolean>;
};

/** What a command works with. Client, settings and prompts are made when they are first asked for. */
export type Context = {
  readonly io: Io;
  readonly flags: GlobalFlags;
  readonly output: Output;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly settings: () => Settings;
  readonly sleep: World["sleep"];
  readonly openUrl: World["openUrl"];
  /** The caller's credential, renewed if it is about to end. */
  readonly secret: () => Promise<string | undefined>;
  /** A client with the caller's credentials, if there are any. */
  readonly client: () => Promise<Feather>;
  /** The same; throws `SignInError` when nobody is signed in. */
  readonly signedIn: () => Promise<Feather>;
  /** Throws `SignInError` when nobody is signed in. */
  readonly requireSignIn: () => void;
  /** A client with other credentials, or none. */
  readonly clientWith: (secret: Secret) => Promise<Feather>;
  /** The same, for another server. */
  readonly clientAt: (baseUrl: string, secret: Secret) => Promise<Feather>;
  /** `fetch` through the proxies of the environment, which renews the caller's token when the server refuses it. */
  readonly fetch: () => Promise<Fetch>;
  /** Version of this program. */
  readonly version: string;
  /** All commands there are. */
  readonly table: readonly Branch[];
  /** Whether a question can be asked. */
  readonly interactive: boolean;
  /** Prompts and the chat. Throws `UsageError` naming the `flag` to use when nobody can be asked. */
  readonly ui: (flag: string) => Promise<typeof import("./ui/index.ts")>;
  /** Asks for something that nobody may read. Throws `UsageError` naming the `flag` to use when nobody can be asked. */
  readonly askSecret: (label: string, flag: string) => Promise<string>;
  /**
   * Asks before something that cannot be undone, unless `--yes` was given; for what is worst, the person types `name`.
   * A question that has to be looked up is a function, which is called only when somebody is asked.
   * Throws `InterruptedError` when the answer is no, and `UsageError` naming `--yes` when nobody can be asked.
   */
  readonly confirm: (question: string | (() => Promise<string>), name?: string) => Promise<void>;
  /** Has the person choose one of several. Throws `UsageError` naming what to give when nobody can be asked. */
  readonly pick: <T>(label: string, choices: readonly Choice<T>[], instead: string) => Promise<T>;
};

/** A person is told that a server wants them to wait, instead of looking at a terminal that says nothing. */
const PATIENCE = 3000;

type Secret = string | (() => Promise<string>) | undefined;

export type Choice<T> = { readonly label: string; readonly note?: string; readonly value: T };

/** What a context has to know of the command line. */
export type Invocation = Pick<OutputOf, "again" | "filter" | "measure"> & {
  readonly table: readonly Branch[];
  readonly version: string;
  readonly flags: GlobalFlags;
  /** The command may name a profile that is not there yet. */
  readonly newProfile: boolean;
};

export function createContext(
  io: Io,
  { flags, again, filter, measure, newProfile, table, version }: Invocation,
  { signal, now, sleep, openUrl }: World,
): Context {
  const output = createOutput(io, flags, { now, again, filter, measure });
  const seated = io.stdin.isTTY === true && io.stderr.isTTY === true;
  const interactive = seated && flags.input && !io.env.ci && !io.env.dumb && output.mode !== "agent";
  let known: Settings | undefined;
  let owned: Promise<Credential> | undefined;

  function settings(): Settings {
    if (known !== undefined) return known;
    known = loadSettings({ ...flags, newProfile }, io.env);
    if (closeToOthers(io.env.configDir))
      output.say(`Others on this machine could read ${configPath(io.env.configDir)}; it is closed to them now.`);
    return known;
  }

  function refuseUnattended(flag: string): void {
    if (!interactive) throw new UsageError(`there is nobody to ask here: use ${flag}`);
  }

  /** The stored token that renews itself. */
  function credential(): Promise<Credential> {
    const { profile } = settings();
    const deps = { dir: io.env.configDir, profile, signal, now, sleep, client: () => context.clientWith(undefined) };
    owned ??= import("./sign-in/credential.ts").then(({ createCredential }) => createCredential(deps));
    return owned;
  }

  const context: Context = {
    io,
    flags,
    output,
    signal,
    now,
    sleep,
    openUrl,
    version,
    table,
    interactive,
    settings,
    async secret() {
      const { secret, renewable } = settings();
      return renewable ? (await credential()).secret() : secret;
    },
    client() {
      const { secret, renewable } = settings();
      return context.clientWith(renewable ? async () => (await credential()).secret() : secret);
    },
    async signedIn() {
      context.requireSignIn();
      return context.client();
    },
    requireSignIn() {
      const { secret, baseUrl, profile } = settings();
      if (secret !== undefined) return;
      const server = baseUrl === DEFAULT_BASE_URL ? "" : ` --base-url ${baseUrl}`;
      const hint = `feather login${server}${profile === DEFAULT_PROFILE ? "" : ` --profile ${profile}`}`;
      throw new SignInError(`nobody is signed in on ${new URL(baseUrl).host}`, hint);
    },
    clientWith: (secret) => context.clientAt(settings().baseUrl, secret),
    async clientAt(baseUrl, secret) {
      const { createFeather } = await import("@feather/sdk");
      // Where nothing stands between, requests go the way that is loaded fastest.
      const isPlain = !io.env.proxied && !settings().renewable;
      const way = isPlain
        ? { send: (await import("./light-fetch.ts")).lightFetch() }
        : { fetch: await context.fetch() };
      return createFeather({
        baseUrl,
        ...way,
        maxRetryAfter: PATIENCE,
        ...(secret === undefined ? { apiKey: null } : { token: secret }),
      });
    },
    async fetch() {
      const plain: Fetch = io.env.proxied
        ? await (await import("./proxy.ts")).proxiedFetch(io.env.proxies)
        : (request, init) => globalThis.fetch(request, init);
      return settings().renewable ? (await credential()).fetch(plain) : plain;
    },
    async ui(flag) {
      refuseUnattended(flag);
      return await import("./ui/index.ts");
    },
    async askSecret(label, flag) {
      refuseUnattended(flag);
      // Loading the prompt takes long enough to type a password, which the terminal would show.
      io.stdin.setRawMode?.(true);
      try {
        return await (await context.ui(flag)).askSecret(label, io);
      } finally {
        io.stdin.setRawMode?.(false);
      }
    },
    async confirm(question, name) {
      if (flags.yes) return;
      const ui = await context.ui("--yes");
      const text = typeof question === "string" ? question : await question();
      const sure =
        name === undefined
          ? await ui.confirm(text, io)
          : (await ui.askLine(`${text} Type ${name} to go on`, io)).trim() === name;
      if (!sure) throw new InterruptedError("it was not confirmed");
    },
    async pick(label, choices, instead) {
      const ui = await context.ui(instead);
      return ui.pick(label, choices, io);
    },
  };
  return context;
}
