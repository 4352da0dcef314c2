import { randomBytes } from "node:crypto";
import { createFeather, type Feather } from "@feather/sdk";
import { ADMIN } from "./platform.ts";

export const PASSWORD = "a long enough secret";

/** Asks for the session's token in a header of the answer. */
export const AS_TOKEN = { headers: { "x-session-transport": "token" } } as const;

/** An address that nobody has. */
export const newEmail = (): string => `person-${randomBytes(6).toString("hex")}@example.com`;

/** A new person with an account, made through the API, and a client that acts as them. */
export async function newAccount(baseUrl: string): Promise<{ email: string; token: string; feather: Feather }> {
  const email = newEmail();
  const { response } = await createFeather({ baseUrl })
    .auth.register({ email, password: PASSWORD }, AS_TOKEN)
    .withResponse();
  const token = response.headers.get("x-session-token") ?? "";
  return { email, token, feather: createFeather({ baseUrl, token }) };
}

/** The first admin, and a client that acts as them. */
export async function asAdmin(baseUrl: string): Promise<{ token: string; feather: Feather }> {
  const { response } = await createFeather({ baseUrl }).auth.login(ADMIN, AS_TOKEN).withResponse();
  const token = response.headers.get("x-session-token") ?? "";
  return { token, feather: createFeather({ baseUrl, token }) };
}
