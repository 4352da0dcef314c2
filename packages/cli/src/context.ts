import type { Feather } from "@feather/sdk";
import { loadSettings, type Settings } from "./config/settings.ts";
import { SignInError, UsageError } from "./errors.ts";
import { createOutput, type Output } from "./output/index.ts";
import type { Io } from "./output/io.ts";

/** Flags that every command takes. */
export type GlobalFlags = {
  readonly json: string | true | undefined;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly input: boolean;
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
  /** A client with other credentials, or none. */
  readonly clientWith: (secret: string | (() => Promise<string>) | undefined) => Promise<Feather>;
  /** Whether a question can be asked. */
  readonly interactive: boolean;
  /** Prompts and the chat. Throws `UsageError` naming the `flag` to use when nobody can be asked. */
  readonly ui: (flag: string) => Promise<typeof import("./ui/index.ts")>;
};

export function createContext(io: Io, flags: GlobalFlags, { signal, now, sleep, openUrl }: World): Context {
  let settings: Settings | undefined;
  let renewed: Promise<() => Promise<string>> | undefined;
  const interactive = io.stdin.isTTY === true && io.stderr.isTTY === true && flags.input && !io.env.ci && !io.env.dumb;
  const context: Context = {
    io,
    flags,
    output: createOutput(io, flags),
    signal,
    now,
    sleep,
    openUrl,
    interactive,
    settings() {
      settings ??= loadSettings(flags, io.env);
      return settings;
    },
    async secret() {
      const { secret, renewable, profile } = context.settings();
      if (secret === undefined || !renewable) return secret;
      const client = () => context.clientWith(undefined);
      renewed ??= import("./sign-in/renewal.ts").then(({ createRenewal }) =>
        createRenewal({ dir: io.env.configDir, profile, signal, now, sleep, client }),
      );
      return (await renewed)();
    },
    client() {
      const { secret, renewable } = context.settings();
      return context.clientWith(renewable ? async () => (await context.secret()) ?? "" : secret);
    },
    signedIn() {
      if (context.settings().secret === undefined)
        throw new SignInError(`nobody is signed in on ${new URL(context.settings().baseUrl).host}`);
      return context.client();
    },
    async clientWith(secret) {
      const { createFeather } = await import("@feather/sdk");
      const fetch = io.env.proxied ? await (await import("./proxy.ts")).proxiedFetch() : undefined;
      return createFeather({
        baseUrl: context.settings().baseUrl,
        ...(secret !== undefined && { token: secret }),
        ...(fetch !== undefined && { fetch }),
      });
    },
    async ui(flag) {
      if (!interactive) throw new UsageError(`there is nobody to ask here: use ${flag}`);
      return await import("./ui/index.ts");
    },
  };
  return context;
}
