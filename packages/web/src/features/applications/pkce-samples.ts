type Client = { id: string; redirectUri: string; scopes: readonly string[]; isPublic: boolean };

/** Quotes a text as one argument of a POSIX shell. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** Quotes a text as a string literal of TypeScript, JavaScript or Python. */
const quoteString = (text: string): string => JSON.stringify(text);

/**
 * Returns code samples of the authorization code flow with PKCE: the authorization URL and the exchange of the code.
 */
export function createPkceSamples(
  { id, redirectUri, scopes, isPublic }: Client,
  origin: string,
): { name: string; code: string }[] {
  const scope = scopes.join(" ");
  return [
    {
      name: "TypeScript",
      code: `import { createHash, randomBytes } from "node:crypto";

const verifier = randomBytes(32).toString("base64url");
const state = randomBytes(16).toString("base64url");

// 1. Keep verifier and state, and send the person to this address.
const address = \`${origin}/oauth/authorize?\${new URLSearchParams({
  response_type: "code",
  client_id: ${quoteString(id)},
  redirect_uri: ${quoteString(redirectUri)},
  scope: ${quoteString(scope)},
  state,
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
})}\`;

// 2. They come back with code and state. Compare state, then:
const answer = await fetch("${origin}/api/oauth/token", {
  method: "POST",
  body: new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: ${quoteString(redirectUri)},
    client_id: ${quoteString(id)},${isPublic ? "" : "\n    client_secret: process.env.CLIENT_SECRET,"}
    code_verifier: verifier,
  }),
});
const { access_token, refresh_token } = await answer.json();`,
    },
    {
      name: "Python",
      code: `import base64, hashlib, os, secrets, urllib.parse
import requests

verifier = secrets.token_urlsafe(32)
state = secrets.token_urlsafe(16)
digest = hashlib.sha256(verifier.encode()).digest()

# 1. Keep verifier and state, and send the person to this address.
address = "${origin}/oauth/authorize?" + urllib.parse.urlencode({
    "response_type": "code",
    "client_id": ${quoteString(id)},
    "redirect_uri": ${quoteString(redirectUri)},
    "scope": ${quoteString(scope)},
    "state": state,
    "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
    "code_challenge_method": "S256",
})

# 2. They come back with code and state. Compare state, then:
tokens = requests.post("${origin}/api/oauth/token", data={
    "grant_type": "authorization_code",
    "code": code,
    "redirect_uri": ${quoteString(redirectUri)},
    "client_id": ${quoteString(id)},${isPublic ? "" : `\n    "client_secret": os.environ["CLIENT_SECRET"],`}
    "code_verifier": verifier,
}).json()`,
    },
    {
      name: "curl",
      code: `# The code comes to the redirect address; the verifier is yours.
curl ${quoteForShell(`${origin}/api/oauth/token`)} \\
  -d grant_type=authorization_code \\
  -d code="$CODE" \\
  -d code_verifier="$VERIFIER" \\
  -d client_id=${quoteForShell(id)} \\${isPublic ? "" : `\n  -d client_secret="$CLIENT_SECRET" \\`}
  --data-urlencode ${quoteForShell(`redirect_uri=${redirectUri}`)}`,
    },
  ];
}
