import type { Feather, Fetch } from "@feather/sdk";
import type { OAuth } from "@feather/sdk/oauth";
import type { Settings } from "./config/settings.ts";
import type { Output, OutputFlags } from "./output/index.ts";
import type { Io } from "./output/io.ts";
import type { Prompts } from "./prompts.ts";

/** Flags of all commands. */
export type GlobalFlags = OutputFlags & {
  /** `--debug`: reports each request. */
  readonly debug: boolean;
  readonly input: boolean;
  /** `--yes`: skips confirmations. */
  readonly yes: boolean;
  readonly baseUrl: string | undefined;
  readonly profile: string | undefined;
};

/** What finds and runs other programs on this machine. */
export type ProgramRunner = {
  /** Returns the path of a command; null when it is not installed. */
  readonly find: (command: string) => Promise<string | null>;
  /**
   * Runs a program at this terminal until it ends, and returns its exit code. The variables are added to those of this
   * process; `undefined` removes one.
   */
  readonly run: (
    path: string,
    args: readonly string[],
    variables: Readonly<Record<string, string | undefined>>,
  ) => Promise<number>;
};

/** The runtime's effects besides requests and output; replaced in tests. */
export type Runtime = {
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Waits for some milliseconds. Throws `InterruptedError` when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Opens a URL in the browser; false when there is none. */
  readonly openUrl: (address: string) => Promise<boolean>;
  readonly programs: ProgramRunner;
};

/** What a command works with. Client, settings and prompts are created on first use. */
export type Context = Prompts & {
  readonly io: Io;
  readonly flags: GlobalFlags;
  readonly output: Output;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly settings: () => Settings;
  readonly sleep: Runtime["sleep"];
  readonly openUrl: Runtime["openUrl"];
  readonly programs: ProgramRunner;
  /** Returns the caller's credential, renewed when it is about to expire; undefined without a sign-in. */
  readonly secret: () => Promise<string | undefined>;
  /** Returns a client with the caller's credential, if there is one. */
  readonly client: () => Promise<Feather>;
  /** Returns a client with the caller's credential. Throws `SignInError` without a sign-in. */
  readonly signedInClient: () => Promise<Feather>;
  /** Throws `SignInError` without a sign-in. */
  readonly requireSignIn: () => void;
  /** Creates a client with another credential, or none. */
  readonly createClient: (secret: Secret) => Promise<Feather>;
  /** Creates what signs in at the server and renews tokens. */
  readonly createOAuth: () => Promise<OAuth>;
  /** Creates a client for another server. */
  readonly createClientFor: (baseUrl: string, secret: Secret) => Promise<Feather>;
  /** Returns a `fetch` that uses the environment's proxies, and renews the caller's token when the server refuses it. */
  readonly fetch: () => Promise<Fetch>;
  /** Version of this program. */
  readonly version: string;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
};

/** A credential for requests, or what returns it for each request; undefined for none. */
export type Secret = string | (() => Promise<string>) | undefined;
