import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Person = {
  id: unknown;
  login: string;
  name: string | null;
  emails: { email: string; primary: boolean; verified: boolean }[];
};

/**
 * A fake of GitHub's OAuth apps and REST API for users, according to its documentation: redirects at once, issues
 * single-use codes with PKCE, and returns a token's user and e-mail addresses.
 */
export async function startFakeGitHub() {
  const state = { person: {} as Person };
  const codes = new Map<string, string>();
  const tokens = new Set<string>();

  function authorize(url: URL, response: ServerResponse): void {
    const code = randomUUID();
    codes.set(code, url.searchParams.get("code_challenge") ?? "");
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("state", url.searchParams.get("state") ?? "");
    response.writeHead(302, { location: back.href }).end();
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await textOf(request));
    const challenge = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    // GitHub returns errors of the exchange with status 200.
    if (challenge !== verifier) return send(response, { error: "bad_verification_code" });
    const token = `gho_${randomUUID()}`;
    tokens.add(token);
    send(response, { access_token: token, token_type: "bearer", scope: "read:user,user:email" });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname === "/login/oauth/authorize") return authorize(url, response);
    if (url.pathname === "/login/oauth/access_token") return exchange(request, response);
    if (!tokens.has((request.headers.authorization ?? "").replace(/^bearer /i, "")))
      return send(response, { message: "Bad credentials" }, 401);
    const { emails, ...user } = state.person;
    if (url.pathname === "/api/v3/user") return send(response, user);
    if (url.pathname === "/api/v3/user/emails") return send(response, emails);
    send(response, { message: "Not Found" }, 404);
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the user in front of the browser. */
    signInAs(person: Person): void {
      state.person = person;
    },
    /** Follows a browser to GitHub and returns the query it comes back with. */
    async visit(start: string): Promise<{ code: string; state: string }> {
      const { headers } = await fetch(start, { redirect: "manual" });
      return Object.fromEntries(new URL(headers.get("location") ?? "").searchParams) as { code: string; state: string };
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
