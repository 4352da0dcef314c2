import { randomBytes } from "node:crypto";
import { createFeather, type Feather } from "@feather/sdk";

export const PASSWORD = "a long enough secret";

/** A new person with an account, made through the API, and a client that acts as them. */
export async function newAccount(baseUrl: string): Promise<{ email: string; token: string; feather: Feather }> {
  const email = `person-${randomBytes(6).toString("hex")}@example.com`;
  const { response } = await createFeather({ baseUrl }).auth.register({ email, password: PASSWORD }).withResponse();
  const token = response.headers.get("x-session-token") ?? "";
  return { email, token, feather: createFeather({ baseUrl, token }) };
}
