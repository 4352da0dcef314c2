import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration } from "oidc-provider";

/** A user of the issuer. */
export type Person = {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  preferred_username?: string;
};

/** Client credentials at the issuer. */
export const CLIENT = { client_id: "feather", client_secret: "a secret that only these two know" };
const TTL_SECONDS = 600; // seconds, longer than any test
const SCOPE = "openid email profile";

/**
 * A certified OpenID Connect issuer. Every browser is signed in as `person` without interaction, so it is only
 * redirected.
 */
export async function startOidcIssuer(redirectUri: string) {
  const people = new Map<string, Person>();
  const state = { person: { sub: "nobody" } as Person };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const provider = new Provider(url, configuration(redirectUri, people));
  provider.on("server_error", (_context, error) => {
    throw error;
  });
  const answer = provider.callback();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith("/interaction/")) return answer(request, response);
    await provider.interactionFinished(request, response, { login: { accountId: state.person.sub } });
  }

  return {
    url,
    /** Sets the user in front of the browser. */
    signInAs(person: Person): void {
      people.set(person.sub, person);
      state.person = person;
    },
    /** Follows a browser's redirects from the platform to the issuer and back; returns the final query. */
    async visit(start: string): Promise<{ code: string; state: string; iss?: string }> {
      const cookies = new Map<string, string>();
      let at = start;
      for (let hops = 0; hops < 10; hops++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const { headers, status } = await fetch(at, { redirect: "manual", headers: { cookie } });
        for (const line of headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          if (name !== undefined && value !== undefined) cookies.set(name, value);
        }
        at = new URL(headers.get("location") ?? `/status-${status}`, at).href;
        if (at.startsWith(redirectUri))
          return Object.fromEntries(new URL(at).searchParams) as { code: string; state: string };
      }
      throw new Error(`The issuer sent the browser to ${at}.`);
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

function configuration(redirectUri: string, people: ReadonlyMap<string, Person>): Configuration {
  return {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "preferred_username"] },
    ttl: {
      AccessToken: TTL_SECONDS,
      AuthorizationCode: TTL_SECONDS,
      Grant: TTL_SECONDS,
      IdToken: TTL_SECONDS,
      Interaction: TTL_SECONDS,
      Session: TTL_SECONDS,
    },
    pkce: { required: () => true },
    cookies: { keys: ["only a test"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub), sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        accountId: oidc.session?.accountId ?? "",
        clientId: oidc.client?.clientId ?? "",
      });
      grant.addOIDCScope(SCOPE);
      await grant.save();
      return grant;
    },
  };
}
