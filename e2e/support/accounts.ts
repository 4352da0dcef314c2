import { randomBytes } from "node:crypto";
import { createFeather, type Feather } from "@feather/sdk";
import { ADMIN } from "./platform.ts";

/** The password of all accounts made here. */
export const PASSWORD = "a long enough secret";

/** Requests the session token in a response header. */
export const TOKEN_TRANSPORT = { headers: { "x-session-transport": "token" } } as const;

/** Returns an unused e-mail address. */
export const createEmail = (): string => `person-${randomBytes(6).toString("hex")}@example.com`;

/** Registers a new user through the API. Returns a client with their session. */
export async function createAccount(baseUrl: string): Promise<{ email: string; token: string; feather: Feather }> {
  const email = createEmail();
  const { response } = await createFeather({ baseUrl })
    .auth.register({ email, password: PASSWORD }, TOKEN_TRANSPORT)
    .withResponse();
  const token = response.headers.get("x-session-token") ?? "";
  return { email, token, feather: createFeather({ baseUrl, token }) };
}

/** Signs in as the first admin. Returns a client with their session. */
export async function signInAsAdmin(baseUrl: string): Promise<{ token: string; feather: Feather }> {
  const { response } = await createFeather({ baseUrl }).auth.login(ADMIN, TOKEN_TRANSPORT).withResponse();
  const token = response.headers.get("x-session-token") ?? "";
  return { token, feather: createFeather({ baseUrl, token }) };
}

/** Returns the link in the newest message to an address, as an admin reads it in the outbox where no mail server is. */
export async function readMailedLink(baseUrl: string, email: string): Promise<string> {
  const { feather } = await signInAsAdmin(baseUrl);
  const { items } = await feather.admin.outbox({ search: email });
  const { text } = await feather.admin.revealMessage(items[0]?.id ?? "", { password: ADMIN.password });
  return new RegExp(`${baseUrl}\\S+`).exec(text)?.[0] ?? "";
}
