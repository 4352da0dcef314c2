import type { Feather, Fetch } from "@feather/sdk";
import type { Branch } from "./commands/branch.ts";
import { closeToOthers, configPath, DEFAULT_PROFILE } from "./config/file.ts";
import { DEFAULT_BASE_URL, loadSettings, type Settings } from "./config/settings.ts";
import { InterruptedError, SignInError, UsageError } from "./errors.ts";
import { createOutput, type Output, type OutputFlags, type OutputOf } from "./output/index.ts";
import type { Io } from "./output/io.ts";
import type { Credential } from "./sign-in/credential.ts";

/** Flags of all commands. */
export type GlobalFlags = OutputFlags & {
  readonly input: boolean;
  /** `--yes`: skips confirmations. */
  readonly yes: boolean;
  readonly baseUrl: string | undefined;
  readonly profile: string | undefined;
};

/** The runtime's effects besides requests and output; replaced in tests. */
export type World = {
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Waits for some milliseconds. Throws `InterruptedError` when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Opens a URL in the browser; false when there is none. */
  readonly openUrl: (address: string) => Promise<boolean>;
};

/** What a command works with. Client, settings and prompts are created on first use. */
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
  /** Returns the caller's credential, renewed when it is about to expire; undefined when nobody is signed in. */
  readonly secret: () => Promise<string | undefined>;
  /** Returns a client with the caller's credential, if there is one. */
  readonly client: () => Promise<Feather>;
  /** Returns a client with the caller's credential. Throws `SignInError` when nobody is signed in. */
  readonly signedIn: () => Promise<Feather>;
  /** Throws `SignInError` when nobody is signed in. */
  readonly requireSignIn: () => void;
  /** Creates a client with another credential, or none. */
  readonly clientWith: (secret: Secret) => Promise<Feather>;
  /** Creates a client for another server. */
  readonly clientAt: (baseUrl: string, secret: Secret) => Promise<Feather>;
  /** Returns a `fetch` that uses the environment's proxies, and renews the caller's token when the server refuses it. */
  readonly fetch: () => Promise<Fetch>;
  /** Version of this program. */
  readonly version: string;
  /** All command groups. */
  readonly table: readonly Branch[];
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  /** Loads prompts and chat. Throws `UsageError` that names `flag` when nobody can be asked. */
  readonly ui: (flag: string) => Promise<typeof import("./ui/index.ts")>;
  /** Asks for a secret, which is not echoed. Throws `UsageError` that names `flag` when nobody can be asked. */
  readonly askSecret: (label: string, flag: string) => Promise<string>;
  /**
   * Asks for confirmation, unless `--yes` was given; with `name`, the person has to type it.
   * A question that needs requests is a function, which is called only when somebody is asked.
   * Throws `InterruptedError` when the answer is no, and `UsageError` that names `--yes` when nobody can be asked.
   */
  readonly confirm: (question: string | (() => Promise<string>), name?: string) => Promise<void>;
  /** Lets the person choose one of several. Throws `UsageError` that names the alternative when nobody can be asked. */
  readonly pick: <T>(label: string, choices: readonly Choice<T>[], instead: string) => Promise<T>;
};

/** Longer waits that a server asks for are reported instead of waiting silently. */
const PATIENCE = 3000;

type Secret = string | (() => Promise<string>) | undefined;

/** A choice of `pick`. */
export type Choice<T> = { readonly label: string; readonly note?: string; readonly value: T };

/** What a context needs to know about the command line. */
export type Invocation = Pick<OutputOf, "again" | "filter" | "measure"> & {
  readonly table: readonly Branch[];
  readonly version: string;
  readonly flags: GlobalFlags;
  /** Whether the command may name a profile that does not exist yet. */
  readonly newProfile: boolean;
};

/** Creates the context of one command. Nothing is read or loaded before it is used. */
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

  /** Returns the stored token that renews itself. */
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
      // Without a proxy or a renewal, the light fetch is used: it loads fastest.
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
      // While the prompt loads, the terminal would echo what is typed already.
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
