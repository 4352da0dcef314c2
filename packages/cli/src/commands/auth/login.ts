import type { Command } from "../../command.ts";
import type { Profile } from "../../config/config-schema.ts";
import { writeProfile } from "../../config/config-store.ts";
import { isUnencrypted } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { optionalText } from "../../flags.ts";
import { readAll } from "../../input.ts";
import type { Tokens } from "../../sign-in/client.ts";
import { adminLoginCommand } from "../../sign-in/rights.ts";

type SignInMethod = "browser" | "device" | "password" | "token";
/** How to sign in. */
export type LoginOptions = {
  /** The way to sign in; undefined lets `defaultMethod` choose. */
  readonly method: SignInMethod | undefined;
  readonly email?: string;
  readonly passwordStdin: boolean;
  readonly code?: string;
};

type NewCredential = Pick<Profile, "refreshToken" | "expiresAt"> & { readonly secret: string; readonly name: string };
/** Who signed in; with an email for an admin whose sign-in may not administer the platform. */
type SignInResult = { readonly name: string; readonly emailOfUnprivilegedAdmin?: string };

/** Asks for the session token in a response header instead of a cookie. */
const TOKEN_TRANSPORT_HEADERS = { "x-session-transport": "token" };

/** Signs in by browser, by device code, or by email and password; or verifies and stores a key or session token. */
export const login: Command<LoginOptions> = {
  name: "login",
  summary: "Sign in to a server",
  flags: [
    { name: "--browser", summary: "sign in with the browser of this machine; the default at a terminal" },
    { name: "--device", summary: "sign in with the browser of another device, by a code" },
    { name: "--email <email>", summary: "sign in by email and password" },
    { name: "--password-stdin", summary: "read the password from stdin" },
    { name: "--code <code>", summary: "code of the second factor" },
    { name: "--with-token", summary: "read an API key or session token from stdin" },
  ],
  createsProfile: true,
  examples: [
    "feather login --base-url https://feather.example",
    "feather login --device",
    "feather login --email maria@example.com --password-stdin < password.txt",
    "feather login --with-token < key.txt",
  ],
  options(_, flags) {
    const passwordStdin = flags.passwordStdin === true;
    const usesPassword = passwordStdin || flags.email !== undefined || flags.code !== undefined;
    const methodFlags: [SignInMethod, string, boolean][] = [
      ["browser", "--browser", flags.browser === true],
      ["device", "--device", flags.device === true],
      ["password", passwordStdin ? "--password-stdin" : "--email", usesPassword],
      ["token", "--with-token", flags.withToken === true],
    ];
    const [first, second] = methodFlags.filter(([, , given]) => given);
    if (first && second) throw new UsageError(`${first[1]} and ${second[1]} exclude each other`);
    return {
      method: first?.[0],
      ...optionalText("email", flags.email),
      ...optionalText("code", flags.code),
      passwordStdin,
    };
  },
  async run(context, options) {
    const { name, emailOfUnprivilegedAdmin } = await signInMethods[options.method ?? defaultMethod(context)](
      context,
      options,
    );
    const { baseUrl, secretSource } = context.settings();
    context.output.info(`Signed in as ${name} on ${new URL(baseUrl).host}.`);
    if (emailOfUnprivilegedAdmin !== undefined)
      context.output.info(
        `This sign-in may not administer the platform. To do so: ${adminLoginCommand(emailOfUnprivilegedAdmin)}`,
      );
    if (secretSource?.startsWith("FEATHER_"))
      context.output.info(`${secretSource} is set, and goes before this sign-in.`);
  },
};

const signInMethods: Record<SignInMethod, (context: Context, options: LoginOptions) => Promise<SignInResult>> = {
  async browser(context) {
    const { signInByBrowser } = await import("../../sign-in/browser.ts");
    return signInByBrowser(context, (tokens) => signIn(context, tokens));
  },
  async device(context) {
    const { signInByDevice } = await import("../../sign-in/device.ts");
    return signIn(context, await signInByDevice(context));
  },
  password: async (context, options) => storeCredential(context, await signInByPassword(context, options)),
  token: async (context) => storeCredential(context, await readTokenCredential(context)),
};

/** Returns the way to sign in that fits the machine. Throws `UsageError` when nobody can be asked. */
function defaultMethod({ interactive, io }: Context): SignInMethod {
  if (!interactive)
    throw new UsageError(
      "there is nobody to ask here: say how to sign in",
      "--device, --with-token < key.txt, or --email <email> --password-stdin",
    );
  return io.env.browser ? "browser" : "device";
}

async function signIn(context: Context, tokens: Tokens): Promise<SignInResult> {
  const user = await (await context.createClient(tokens.secret)).auth.me({ signal: context.signal });
  const { name } = await storeCredential(context, { ...tokens, name: user.username });
  return { name, ...(user.is_admin && { emailOfUnprivilegedAdmin: user.email }) };
}

async function storeCredential(context: Context, credential: NewCredential): Promise<NewCredential> {
  const { baseUrl, profile } = context.settings();
  await writeProfile(context.io.env.configDir, profile, { baseUrl, ...credential });
  return credential;
}

async function readTokenCredential({ io, createClient, signal }: Context): Promise<NewCredential> {
  const secret = (await readAll(io.stdin)).trim();
  if (secret === "") throw new UsageError("no token came on stdin", "feather login --with-token < key.txt");
  if (/\s/.test(secret)) throw new UsageError("what came on stdin is not one token");
  const client = await createClient(secret);
  const { isApiError } = await import("@feather/sdk");
  try {
    const user = await client.auth.me({ signal });
    return { secret, name: user.username };
  } catch (error) {
    if (!isApiError(error) || error.status !== 403) throw error;
    // A key that may only call models cannot read its owner, but it can read its plan.
    const plan = await client.plan.get({ signal });
    return { secret, name: `a key on the plan ${plan.name}` };
  }
}

async function signInByPassword(context: Context, options: LoginOptions): Promise<NewCredential> {
  const { baseUrl } = context.settings();
  if (isUnencrypted(baseUrl))
    context.output.info(
      `Everybody on the way to ${new URL(baseUrl).host} can read the password: use https:// if the server has it.`,
    );
  const email = options.email ?? (await context.askLine("Email", "--email"));
  const password = options.passwordStdin
    ? (await readAll(context.io.stdin)).replace(/\r?\n$/, "")
    : await context.askSecret("Password", "--password-stdin");
  const client = await context.createClient(undefined);
  const first = await client.auth
    .login({ email, password }, { signal: context.signal, headers: TOKEN_TRANSPORT_HEADERS })
    .withResponse();
  if (!("second_factor" in first.data)) return toSessionCredential(first.response, first.data.username);
  if (first.data.second_factor === "passkey" && options.code === undefined)
    throw new UsageError(
      "the second factor of this account is a passkey, which only a browser can use",
      "feather login signs in by browser; or give a recovery code with --code",
    );
  const code = options.code ?? (await context.askLine("Code of the authenticator app", "--code"));
  const second = await client.auth
    .secondFactor(
      { challenge: first.data.challenge, code: code.trim() },
      { signal: context.signal, headers: TOKEN_TRANSPORT_HEADERS },
    )
    .withResponse();
  return toSessionCredential(second.response, second.data.username);
}

function toSessionCredential(response: Response, name: string): NewCredential {
  const secret = response.headers.get("x-session-token");
  if (secret === null)
    throw new Error("The server signed you in but gave no session. It may be too old for this program.");
  return { secret, name };
}
