import type { Command } from "../../command.ts";
import { type Profile, writeProfile } from "../../config/file.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { given } from "../../flags.ts";
import { readAll } from "../../input.ts";
import type { Tokens } from "../../sign-in/client.ts";
import { adminLogin } from "../../sign-in/rights.ts";

type Way = "browser" | "device" | "password" | "token";
/** How to sign in. */
export type LoginOptions = {
  /** The way to sign in; undefined lets `defaultMethod` choose. */
  readonly way: Way | undefined;
  readonly email?: string;
  readonly passwordStdin: boolean;
  readonly code?: string;
};

type SignedIn = Pick<Profile, "refreshToken" | "expiresAt"> & { readonly secret: string; readonly name: string };
/** Who signed in; with an email for an admin whose sign-in may not administer the platform. */
type Entered = { readonly name: string; readonly powerlessAdmin?: string };

/** Asks for the session token in a response header instead of a cookie. */
const AS_TOKEN = { "x-session-transport": "token" };

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
  signsIn: true,
  examples: [
    "feather login --base-url https://feather.example",
    "feather login --device",
    "feather login --email maria@example.com --password-stdin < password.txt",
    "feather login --with-token < key.txt",
  ],
  options(_, flags) {
    const passwordStdin = flags.passwordStdin === true;
    const usesPassword = passwordStdin || flags.email !== undefined || flags.code !== undefined;
    const asked: [Way, string, boolean][] = [
      ["browser", "--browser", flags.browser === true],
      ["device", "--device", flags.device === true],
      ["password", passwordStdin ? "--password-stdin" : "--email", usesPassword],
      ["token", "--with-token", flags.withToken === true],
    ];
    const [first, second] = asked.filter(([, , given]) => given);
    if (first && second) throw new UsageError(`${first[1]} and ${second[1]} exclude each other`);
    return { way: first?.[0], ...given("email", flags.email), ...given("code", flags.code), passwordStdin };
  },
  async run(context, options) {
    const { name, powerlessAdmin } = await ways[options.way ?? wayHere(context)](context, options);
    const { baseUrl, secretSource } = context.settings();
    context.output.say(`Signed in as ${name} on ${new URL(baseUrl).host}.`);
    if (powerlessAdmin !== undefined)
      context.output.say(`This sign-in may not administer the platform. To do so: ${adminLogin(powerlessAdmin)}`);
    if (secretSource?.startsWith("FEATHER_"))
      context.output.say(`${secretSource} is set, and goes before this sign-in.`);
  },
};

const ways: Record<Way, (context: Context, options: LoginOptions) => Promise<Entered>> = {
  async browser(context) {
    const { byBrowser } = await import("../../sign-in/browser.ts");
    return byBrowser(context, (tokens) => signIn(context, tokens));
  },
  async device(context) {
    const { byDevice } = await import("../../sign-in/device.ts");
    return signIn(context, await byDevice(context));
  },
  password: async (context, options) => keep(context, await byPassword(context, options)),
  token: async (context) => keep(context, await checkToken(context)),
};

/** Returns the way to sign in that fits the machine. Throws `UsageError` when nobody can be asked. */
function wayHere({ interactive, io }: Context): Way {
  if (!interactive)
    throw new UsageError(
      "there is nobody to ask here: say how to sign in",
      "--device, --with-token < key.txt, or --email <email> --password-stdin",
    );
  return io.env.browser ? "browser" : "device";
}

async function signIn(context: Context, tokens: Tokens): Promise<Entered> {
  const user = await (await context.clientWith(tokens.secret)).auth.me({ signal: context.signal });
  const { name } = await keep(context, { ...tokens, name: user.username });
  return { name, ...(user.is_admin && { powerlessAdmin: user.email }) };
}

async function keep(context: Context, signedIn: SignedIn): Promise<SignedIn> {
  const { baseUrl, profile } = context.settings();
  await writeProfile(context.io.env.configDir, profile, { baseUrl, ...signedIn });
  return signedIn;
}

async function checkToken({ io, clientWith, signal }: Context): Promise<SignedIn> {
  const secret = (await readAll(io.stdin)).trim();
  if (secret === "") throw new UsageError("no token came on stdin", "feather login --with-token < key.txt");
  if (/\s/.test(secret)) throw new UsageError("what came on stdin is not one token");
  const client = await clientWith(secret);
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

async function byPassword(context: Context, options: LoginOptions): Promise<SignedIn> {
  const email = options.email ?? (await (await context.ui("--email")).askLine("Email", context.io));
  const password = options.passwordStdin
    ? (await readAll(context.io.stdin)).replace(/\r?\n$/, "")
    : await context.askSecret("Password", "--password-stdin");
  const client = await context.clientWith(undefined);
  const first = await client.auth
    .login({ email, password }, { signal: context.signal, headers: AS_TOKEN })
    .withResponse();
  if (!("second_factor" in first.data)) return sessionOf(first.response, first.data.username);
  if (first.data.second_factor === "passkey" && options.code === undefined)
    throw new UsageError(
      "the second factor of this account is a passkey, which only a browser can use",
      "feather login signs in by browser; or give a recovery code with --code",
    );
  const code =
    options.code ?? (await (await context.ui("--code")).askLine("Code of the authenticator app", context.io));
  const second = await client.auth
    .secondFactor({ challenge: first.data.challenge, code: code.trim() }, { signal: context.signal, headers: AS_TOKEN })
    .withResponse();
  return sessionOf(second.response, second.data.username);
}

function sessionOf(response: Response, name: string): SignedIn {
  const secret = response.headers.get("x-session-token");
  if (secret === null)
    throw new Error("The server signed you in but gave no session. It may be too old for this program.");
  return { secret, name };
}
