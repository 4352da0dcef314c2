/**
 * A stand-in for Google's Vertex AI and for its server of access tokens, which cannot run here. It is written from the references
 * at https://developers.google.com/identity/protocols/oauth2/service-account and
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference: it gives tokens for signed requests, whose
 * signature, times and scope it checks, and answers calls with a token as the stand-in for the Gemini API does. Its faults are
 * errors of both, and tokens that come late.
 */
import { generateKeyPairSync, verify } from "node:crypto";
import type { ServerResponse } from "node:http";
import { GEMINI_KEY, type GeminiScript, startFakeGemini } from "./fake-gemini.ts";
import { type RecordedRequest, startHttpServer } from "./http-server.ts";

type Fields = Record<string, unknown>;

/** How the stand-in answers. */
export type VertexScript = {
  gemini?: GeminiScript;
  /** An error in place of a token. */
  tokenFault?: { status: number; error: string; description: string };
  /** No token is sent before this resolves. */
  tokenUntil?: Promise<void>;
  /** How long tokens are valid, in seconds. */
  expiresInS?: number;
  /** An error in place of an answer to a call. */
  callFault?: { code: number; status: string; message: string };
  /** Names of the models in the list. */
  models?: readonly string[];
};

/** The address of tokens that keys name. Requests to it must be sent to `tokenUrl` of the stand-in. */
export const GOOGLE_TOKEN_URL = "https://oauth2.googleapis.com/token";
const EMAIL = "feather@my-project-123.iam.gserviceaccount.com";
const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const LOCATION = "/v1/projects/my-project-123/locations/europe-west1";
/** How far the clock of a caller may be wrong, and how long a signed request may be valid, in seconds. */
const MAX_SKEW_S = 300;
const MAX_LIFETIME_S = 3600;
const TOO_OLD =
  "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.";
const PAIR = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** Returns the JSON of the key of the service account that the stand-in knows, with other fields in place of some. */
export function toServiceAccountKey(fields: Fields = {}): string {
  const account = { type: "service_account", project_id: "my-project-123", private_key_id: "1", client_email: EMAIL };
  return JSON.stringify({ ...account, private_key: PAIR.privateKey, token_uri: GOOGLE_TOKEN_URL, ...fields }, null, 2);
}

/** Starts the stand-in. Its script can be replaced while it runs. */
export async function startFakeVertex(script: VertexScript = {}) {
  const state = { script, tokens: [] as string[] };
  const gemini = await startFakeGemini(script.gemini);
  const server = await startHttpServer(async (request, response) => {
    if (request.url === "/token") return sendToken(response, request, state);
    const token = String(request.headers.authorization).replace(/^Bearer /, "");
    if (!state.tokens.includes(token))
      return sendError(response, 401, "UNAUTHENTICATED", "Request had invalid authentication credentials.");
    if (request.url.startsWith("/v1beta1/publishers/google/models"))
      return sendJson(response, 200, { publisherModels: toPublisherModels(state.script.models ?? []) });
    if (!request.url.startsWith(`${LOCATION}/publishers/google/models/`))
      return sendError(response, 404, "NOT_FOUND", "Not found.");
    const { callFault: fault } = state.script;
    if (fault) return sendError(response, fault.code, fault.status, fault.message);
    await passOn(gemini.origin, request, response);
  });
  return {
    baseUrl: server.url + LOCATION,
    tokenUrl: `${server.url}/token`,
    origin: server.url,
    /** The calls so far. */
    calls: gemini.calls,
    /** The tokens so far. */
    tokens: state.tokens,
    /** All requests so far. */
    requests: server.requests,
    answer: (next: VertexScript) => {
      state.script = next;
      gemini.answer(next.gemini ?? {});
    },
    close: async () => {
      await server.close();
      await gemini.close();
    },
  };
}

async function sendToken(
  response: ServerResponse,
  { body }: RecordedRequest,
  { script, tokens }: { script: VertexScript; tokens: string[] },
): Promise<void> {
  const { tokenFault: fault, tokenUntil, expiresInS = 3599 } = script;
  await tokenUntil;
  if (fault) return sendJson(response, fault.status, { error: fault.error, error_description: fault.description });
  const problem = findAssertionProblem(new URLSearchParams(body), Date.now() / 1000);
  if (problem !== null) return sendJson(response, 400, { error: "invalid_grant", error_description: problem });
  const token = `ya29.test-${tokens.length + 1}`;
  tokens.push(token);
  sendJson(response, 200, { access_token: token, expires_in: expiresInS, token_type: "Bearer" });
}

/** Returns what Google says of a signed request that it refuses; null if it takes it. */
function findAssertionProblem(form: URLSearchParams, nowS: number): string | null {
  if (form.get("grant_type") !== GRANT) return "Invalid grant_type.";
  const [header = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
  const { alg } = decode(header);
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(`${header}.${claims}`),
    PAIR.publicKey,
    Buffer.from(signature, "base64url"),
  );
  if (alg !== "RS256" || !isSigned) return "Invalid JWT Signature.";
  const { iss, aud, scope, iat, exp } = decode(claims);
  if (iss !== EMAIL) return "Invalid grant: account not found";
  if (aud !== GOOGLE_TOKEN_URL || scope !== SCOPE) return "Invalid JWT: audience or scope is wrong.";
  const isTimely =
    Number(iat) <= nowS + MAX_SKEW_S && Number(exp) > nowS && Number(exp) - Number(iat) <= MAX_LIFETIME_S;
  return isTimely ? null : TOO_OLD;
}

function decode(part: string): Fields {
  return JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as Fields;
}

function toPublisherModels(names: readonly string[]): Fields[] {
  return names.map((name) => ({ name: `publishers/google/models/${name}`, launchStage: "GA" }));
}

/** Has the stand-in for the Gemini API answer a call. */
async function passOn(origin: string, { url, body }: RecordedRequest, response: ServerResponse): Promise<void> {
  const path = url.slice(url.indexOf("/models/"));
  const headers = { "content-type": "application/json", "x-goog-api-key": GEMINI_KEY };
  const answer = await fetch(`${origin}/v1beta${path}`, { method: "POST", headers, body });
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
  response.end(await answer.text());
}

function sendError(response: ServerResponse, code: number, status: string, message: string): void {
  sendJson(response, code, { error: { code, message, status } });
}

function sendJson(response: ServerResponse, status: number, body: Fields): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
