import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The response of the token endpoint. */
export type Tokens = { access_token: string; refresh_token?: string; token_type: string; scope: string };
type OAuthClient = { id: string; secret: string | null };

/** An OAuth client of another party: it sends users to the consent page and exchanges the returned code. */
export type ThirdParty = {
  callback: string;
  /** Returns the authorization URL. */
  createAuthorizeUrl(client: OAuthClient, scope: string): string;
  /** Returns the query of the latest callback. Throws if state or issuer are wrong. */
  lastCallback(): URLSearchParams;
  exchangeCode(): Promise<{ status: number; body: Tokens & { error?: string } }>;
  userinfo(accessToken: string): Promise<{ status: number; body: { email?: string } }>;
  close(): void;
};

const encode = (bytes: Buffer): string => bytes.toString("base64url");

/** Starts the client's callback server. */
export async function startThirdParty(platform: string): Promise<ThirdParty> {
  let callback = "";
  let lastQuery = new URLSearchParams();
  let pending: { client: OAuthClient; state: string; verifier: string } | null = null;
  const site: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname === "/callback") lastQuery = url.searchParams;
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>Back</title><p>back at the program</p>");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  callback = `http://localhost:${(site.address() as AddressInfo).port}/callback`;

  return {
    callback,
    createAuthorizeUrl(client, scope) {
      pending = { client, state: encode(randomBytes(12)), verifier: encode(randomBytes(32)) };
      const query = new URLSearchParams({
        response_type: "code",
        client_id: client.id,
        redirect_uri: callback,
        scope,
        state: pending.state,
        code_challenge: encode(createHash("sha256").update(pending.verifier).digest()),
        code_challenge_method: "S256",
      });
      return `${platform}/oauth/authorize?${query}`;
    },
    lastCallback() {
      if (lastQuery.get("state") !== pending?.state) throw new Error("The state is not the one that was sent.");
      if (lastQuery.get("iss") !== platform) throw new Error(`It was answered by ${lastQuery.get("iss")}.`);
      return lastQuery;
    },
    async exchangeCode() {
      if (pending === null) throw new Error("Nothing was asked yet.");
      const { client, verifier } = pending;
      const response = await fetch(`${platform}/api/oauth/token`, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code: lastQuery.get("code") ?? "",
          redirect_uri: callback,
          client_id: client.id,
          code_verifier: verifier,
          ...(client.secret !== null && { client_secret: client.secret }),
        }),
      });
      return { status: response.status, body: (await response.json()) as Tokens };
    },
    async userinfo(accessToken) {
      const headers = { authorization: `Bearer ${accessToken}` };
      const response = await fetch(`${platform}/api/oauth/userinfo`, { headers });
      return { status: response.status, body: (await response.json()) as { email?: string } };
    },
    close() {
      site.closeAllConnections();
      site.close();
    },
  };
}
