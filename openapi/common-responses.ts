/**
 * Responses that the server can send before any handler runs. They are added to the bundle, so that the path files describe
 * only what is specific to an operation.
 */

type Response = { description: string; content?: Record<string, object> };
/** The parts of the bundled contract that the common responses are added to. */
export type DocumentWithResponses = {
  paths: Record<string, Record<string, OperationWithResponses>>;
  components: { responses?: Record<string, object> };
};
type OperationWithResponses = {
  operationId?: string;
  security?: Record<string, string[]>[];
  requestBody?: object;
  "x-rate-limit"?: string;
  responses: Record<string, object>;
};

/** The schema of a path's error responses; matches `core/errors/envelopes.ts` of the server. */
type Envelope = "Error" | "OpenAIError" | "OAuthError" | "AnthropicError";

type CommonError = { status: string; name: string; code: string; oauthCode: string; type: string; message: string };

const STATUS_MESSAGES: Record<string, string> = {
  401: "Unauthorized",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  421: "Misdirected Request",
  429: "Too Many Requests",
  503: "Service Unavailable",
};
const ERRORS: readonly CommonError[] = [
  {
    status: "401",
    name: "Unauthorized",
    code: "unauthorized",
    oauthCode: "login_required",
    type: "authentication_error",
    message: "Sign in, or send an API key.",
  },
  {
    status: "429",
    name: "TooManyRequests",
    code: "rate_limit_exceeded",
    oauthCode: "slow_down",
    type: "rate_limit_error",
    message: "Too many attempts. Try again in 12 seconds.",
  },
  {
    status: "413",
    name: "PayloadTooLarge",
    code: "payload_too_large",
    oauthCode: "invalid_request",
    type: "invalid_request_error",
    message: "The body may hold at most 65536 bytes.",
  },
  {
    status: "415",
    name: "UnsupportedMediaType",
    code: "unsupported_media_type",
    oauthCode: "invalid_request",
    type: "invalid_request_error",
    message: "Send the body as application/json, and say so in the header content-type.",
  },
  {
    status: "421",
    name: "MisdirectedRequest",
    code: "misdirected_request",
    oauthCode: "invalid_request",
    type: "invalid_request_error",
    message: "This server does not answer for that host name. Set FEATHER_PUBLIC_URL to the address people use.",
  },
  {
    status: "503",
    name: "StorageUnavailable",
    code: "storage_unavailable",
    oauthCode: "temporarily_unavailable",
    type: "server_error",
    message: "The database cannot be used at the moment. Try again in a few seconds.",
  },
];
const METHODS = ["get", "put", "post", "delete", "patch"];
const HEADERS_TOO_LARGE: Response = {
  description: "The headers of the request are too large. The connection is closed.",
};

/** Adds the common responses to every operation that can send them and does not describe them itself. Changes `document` in place. */
export function addCommonResponses(document: DocumentWithResponses): void {
  document.components.responses ??= {};
  const responses = document.components.responses;
  responses.HeadersTooLarge = HEADERS_TOO_LARGE;
  for (const [path, item] of Object.entries(document.paths))
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      const envelope = envelopeOf(path);
      for (const error of ERRORS) {
        if (error.status in operation.responses || !isApplicable(error, operation)) continue;
        const name = `Common${envelope}${error.name}`;
        responses[name] ??= createResponse(error, envelope);
        operation.responses[error.status] = { $ref: `#/components/responses/${name}` };
      }
      operation.responses["431"] ??= { $ref: "#/components/responses/HeadersTooLarge" };
    }
}

function isApplicable({ status }: CommonError, operation: OperationWithResponses): boolean {
  const { security = [], requestBody, "x-rate-limit": rateLimit } = operation;
  if (status === "503") return true;
  if (status === "429" && rateLimit !== undefined) return true;
  if (status === "401") return security.some((schemes) => "session" in schemes || "bearer" in schemes);
  if (status === "421") return true;
  if (requestBody === undefined) return false;
  return status !== "429" || security.length === 0 || security.some((schemes) => Object.keys(schemes).length === 0);
}

function envelopeOf(path: string): Envelope {
  if (/^\/v1\/messages(\/|$)/.test(path)) return "AnthropicError";
  if (/^\/oauth\/(authorize|token|revoke|device)$/.test(path)) return "OAuthError";
  return /^(\/deployments\/\{id\})?\/v1\//.test(path) ? "OpenAIError" : "Error";
}

function createResponse(error: CommonError, envelope: Envelope): Response {
  const { code, message } = error;
  const media = {
    schema: { $ref: `#/components/schemas/${envelope}` },
    examples: { [code]: { summary: message, value: createBody(error, envelope) } },
  };
  return { description: message, content: { "application/json": media } };
}

function createBody({ status, code, oauthCode, type, message }: CommonError, envelope: Envelope): object {
  const request_id = "req_4fJqM1t9ZkX2vLr8NwB6yH";
  if (envelope === "OpenAIError") return { error: { message, type, param: null, code, request_id } };
  if (envelope === "OAuthError") return { error: oauthCode, error_description: message };
  if (envelope === "AnthropicError") return { type: "error", error: { type, message, code }, request_id };
  const statusMessage = STATUS_MESSAGES[status];
  return { statusCode: Number(status), statusMessage, message, data: JSON.stringify({ code, message }) };
}
