import type { Middleware } from "openapi-fetch";
import { CredentialError } from "../errors.ts";

/**
 * Adds the credential of the client to requests that have none of their own. An empty `authorization` header sends none.
 * Throws `CredentialError` when the credential holds a character that a header cannot.
 */
export function createCredentials(getSecret: () => string | undefined | Promise<string | undefined>): Middleware {
  return {
    async onRequest({ request }) {
      const own = request.headers.get("authorization");
      if (own === "") request.headers.delete("authorization");
      if (own !== null) return;
      const secret = await getSecret();
      if (secret) request.headers.set("authorization", `Bearer ${requireHeaderText(secret)}`);
    },
  };
}

function requireHeaderText(secret: string): string {
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new CredentialError("The API key or token holds a character that none has, such as “…” of a shortened one.");
}
