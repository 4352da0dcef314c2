import type { Command } from "../../command.ts";
import { given } from "../../command.ts";
import { writeProfile } from "../../config/file.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { readAll } from "../../input.ts";

export type LoginOptions = {
  readonly email?: string;
  readonly passwordStdin: boolean;
  readonly withToken: boolean;
  readonly code?: string;
};

type SignedIn = { readonly secret: string; readonly name: string };

/** Signs in by email and password, or checks and stores a key or session token. */
export const login: Command<LoginOptions> = {
  name: "login",
  summary: "Sign in to a server",
  flags: [
    { name: "--email <email>", summary: "email of the account" },
    { name: "--password-stdin", summary: "read the password from stdin" },
    { name: "--with-token", summary: "read an API key or session token from stdin" },
    { name: "--code <code>", summary: "code of the second factor" },
  ],
  examples: [
    "feather login --base-url https://feather.example",
    "feather login --email maria@example.com --password-stdin < password.txt",
    "feather login --with-token < key.txt",
  ],
  options(_, flags) {
    const passwordStdin = flags.passwordStdin === true;
    const withToken = flags.withToken === true;
    if (passwordStdin && withToken) throw new UsageError("--password-stdin and --with-token exclude each other");
    return { ...given("email", flags.email), ...given("code", flags.code), passwordStdin, withToken };
  },
  async run(context, options) {
    const { secret, name } = options.withToken ? await checkToken(context) : await byPassword(context, options);
    const { baseUrl, profile } = context.settings();
    await writeProfile(context.io.env.configDir, profile, { baseUrl, secret, name });
    context.output.say(`Signed in as ${name} on ${new URL(baseUrl).host}.`);
    if (context.settings().secretSource?.startsWith("FEATHER_"))
      context.output.say(`${context.settings().secretSource} is set, and goes before this sign-in.`);
  },
};

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
    // A key that may only call models says nothing of its owner, but it knows its plan.
    const plan = await client.plan.get({ signal });
    return { secret, name: `a key on the plan ${plan.name}` };
  }
}

async function byPassword(context: Context, options: LoginOptions): Promise<SignedIn> {
  const email = options.email ?? (await (await context.ui("--email")).askLine("Email", context.io));
  const password = options.passwordStdin
    ? (await readAll(context.io.stdin)).replace(/\r?\n$/, "")
    : await (await context.ui("--password-stdin")).askSecret("Password", context.io);
  const client = await context.clientWith(undefined);
  const first = await client.auth.login({ email, password }, { signal: context.signal }).withResponse();
  if (!("second_factor" in first.data)) return signedIn(first.response, first.data.username);
  const code =
    options.code ?? (await (await context.ui("--code")).askLine("Code of the authenticator app", context.io));
  const second = await client.auth
    .secondFactor({ challenge: first.data.challenge, code }, { signal: context.signal })
    .withResponse();
  return signedIn(second.response, second.data.username);
}

function signedIn(response: Response, name: string): SignedIn {
  const secret = response.headers.get("x-session-token");
  if (secret === null)
    throw new Error("The server signed you in but gave no session. It may be too old for this program.");
  return { secret, name };
}
