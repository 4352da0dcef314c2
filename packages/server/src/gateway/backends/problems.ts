import { cutText } from "../../platform/core/texts/cut-text.ts";
import { isRecord } from "../usage/reported-usage.ts";
import { parseJson } from "./parse-json.ts";

/** What is wrong with a backend, as programs tell it apart. */
export type BackendProblem =
  | "key"
  | "permission"
  | "quota"
  | "model"
  | "region"
  | "certificate"
  | "address"
  | "timeout"
  | "not_this_api";

/** Why a request to a backend failed: the kind of problem, what happened, and what to do; null where it is not known. */
export type BackendFailure = { problem: BackendProblem | null; error: string; advice: string | null };

type Cause = BackendFailure & { advice: string };

/** The sentences for administrators: what happened, and what to do. */
const CAUSES = {
  noKey: { problem: "key", error: "It asks for a key.", advice: "Enter the key of the account there." },
  wrongKey: {
    problem: "key",
    error: "It does not accept the key.",
    advice: "Make a new key there and enter it here. It may be mistyped, revoked, expired or another provider's.",
  },
  permission: {
    problem: "permission",
    error: "The key may not do this.",
    advice: "Give the key the permission to list models and to call them, or use another key.",
  },
  country: {
    problem: "region",
    error: "It does not serve the country or the region of this request.",
    advice: "Choose another region in its address, run this server elsewhere, or use another provider.",
  },
  credit: {
    problem: "quota",
    error: "The account has no credit left, or has reached its limit of spending.",
    advice: "Add credit or raise the limit at the provider.",
  },
  rate: {
    problem: "quota",
    error: "The account has sent too many requests for its limit.",
    advice: "Wait a minute and test again, or raise the limit at the provider.",
  },
  apiDisabled: {
    problem: "permission",
    error: "The API is not enabled for the project.",
    advice: "Enable it in the console of the provider, wait a few minutes, and test again.",
  },
  serviceAccountForm: {
    problem: "key",
    error: "The key is not that of a service account.",
    advice: "Enter the whole JSON of a service account's key, as the Google Cloud console gives it.",
  },
  serviceAccountKey: {
    problem: "key",
    error: "Google does not accept the key of the service account.",
    advice: "Make a new key for the service account. This one may have been deleted.",
  },
  serviceAccount: {
    problem: "key",
    error: "The service account is disabled or deleted, or may not be used here.",
    advice: "Enable it in the Google Cloud console, or enter the key of another one.",
  },
  clock: {
    problem: "key",
    error: "Google does not accept the time at which the key was used.",
    advice: "Set the clock of this server.",
  },
  noAccessToken: {
    problem: "address",
    error: "Google's server for access tokens, oauth2.googleapis.com, failed or cannot be reached.",
    advice: "Test again. Otherwise check that this server may connect to it.",
  },
  noModelHere: {
    problem: "region",
    error: "It does not have this model in the region of the address, or not for the project.",
    advice: "Choose another region in the address, such as global, or compare the name with the provider's list.",
  },
  noModel: {
    problem: "model",
    error: "It does not have this model for the key.",
    advice: "Compare the name with the provider's list, or have the model enabled for the account.",
  },
  selfSigned: {
    problem: "certificate",
    error: "Its certificate is self-signed, so anybody could have made it.",
    advice: "Use a certificate of a known authority, or name yours in NODE_EXTRA_CA_CERTS when starting this server.",
  },
  unknownAuthority: {
    problem: "certificate",
    error: "The authority behind its certificate is not known here.",
    advice:
      "Send the whole chain of certificates, or name the authority in NODE_EXTRA_CA_CERTS when starting this server.",
  },
  expired: {
    problem: "certificate",
    error: "Its certificate has expired, or is not valid yet.",
    advice: "Renew the certificate there, and check the clock of both machines.",
  },
  wrongHost: {
    problem: "certificate",
    error: "Its certificate is for another host than the one in the address.",
    advice: "Write the host as it stands in the certificate.",
  },
  refused: {
    problem: "address",
    error: "Nothing listens at this address.",
    advice: "Check host and port, and that the program there runs.",
  },
  unknownName: {
    problem: "address",
    error: "The name of this address is not known.",
    advice: "Check how it is spelled, and that this machine can look up names.",
  },
  unreachable: {
    problem: "address",
    error: "The connection to this address failed.",
    advice: "Check that no firewall stands between this server and the address.",
  },
  noTls: {
    problem: "address",
    error: "It does not speak HTTPS at this port.",
    advice: "Begin the address with http:// if that is meant, or use the port for HTTPS.",
  },
  privateAddress: {
    problem: "address",
    error: "This is not a public address.",
    advice: "If the address is yours, name it in FEATHER_OUTGOING_ALLOW and start this server again.",
  },
  moved: {
    problem: "address",
    error: "It redirects to another address.",
    advice: "Enter the address to which it redirects.",
  },
  timeout: {
    problem: "timeout",
    error: "It gave no answer in time.",
    advice: "Test again: a model may have to be loaded first. Otherwise check the address and what stands before it.",
  },
  page: {
    problem: "not_this_api",
    error: "It answered with a web page.",
    advice: "Check the path of the address, which often ends in /v1, and whether a proxy asks for a sign-in.",
  },
  noPath: {
    problem: "not_this_api",
    error: "There is no such path below this address.",
    advice: "Check the path of the address, which often ends in /v1, and which API it speaks.",
  },
  otherList: {
    problem: "not_this_api",
    error: "It answered, but not with a list of models as OpenAI's /v1/models gives it.",
    advice: "Check the path of the address, or name the models if the provider does not list them.",
  },
  otherAnswer: {
    problem: "not_this_api",
    error: "It answered the call, but not in the form of this API.",
    advice: "Check the path of the address, and which API it speaks.",
  },
} as const satisfies Record<string, Cause>;

/** The name of a cause of failures. */
type CauseName = keyof typeof CAUSES;

const CAUSE_BY_CODE: Readonly<Record<string, CauseName>> = {
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "selfSigned",
  SELF_SIGNED_CERT_IN_CHAIN: "unknownAuthority",
  UNABLE_TO_GET_ISSUER_CERT: "unknownAuthority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "unknownAuthority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "unknownAuthority",
  ERR_TLS_CERT_ALTNAME_INVALID: "wrongHost",
  ECONNREFUSED: "refused",
  ENOTFOUND: "unknownName",
  EAI_AGAIN: "unknownName",
  ECONNRESET: "unreachable",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_SOCKET: "unreachable",
  ERR_SSL_WRONG_VERSION_NUMBER: "noTls",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "noTls",
  EPROTO: "noTls",
  "google.account": "serviceAccount",
  "google.clock": "clock",
  "google.key": "serviceAccountKey",
  "google.key_form": "serviceAccountForm",
  "google.unavailable": "noAccessToken",
  "outgoing.address_refused": "privateAddress",
};

/** Said about a country or region with status 403, such as OpenAI's `unsupported_country_region_territory`. */
const ABOUT_COUNTRY = /countr(y|ies)|territor|region|location is not supported/i;
/** Said about money with status 400, 403 or 429, such as OpenAI's `insufficient_quota` and Anthropic's "credit balance". */
const ABOUT_CREDIT =
  /insufficient[ _](quota|balance|credit|funds)|credit balance|billing|out of credit|payment|spend(ing)? limit/i;
/** Said about the name of a model with status 400, 403 or 422. */
const ABOUT_MODEL =
  /model\b.{0,120}(not (found|exist|available|supported|accessible)|does ?n.t exist|unknown|invalid)|(unknown|invalid|no such|unsupported) model|model_not_found/is;
/** Said with status 403 by Google about a project whose API is switched off. */
const ABOUT_DISABLED_API = /SERVICE_DISABLED|has not been used in project/;
/** Said with status 404 by Google about a model that the region or the project lacks. */
const ABOUT_PUBLISHER_MODEL = /publisher model.{0,300}not found/is;
/** Said about the key with status 400, as Google does. */
const ABOUT_KEY = /api[ _]?key (not valid|is invalid|expired)|invalid api[ _]?key/i;
const MAX_QUOTED_CHARACTERS = 200;

/** Returns the failure of a request that got no response. */
export function toConnectionFailure(error: unknown, timeoutMs: number): BackendFailure {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  if (name === "TimeoutError") return { ...CAUSES.timeout, error: `It gave no answer within ${timeoutMs / 1000} s.` };
  const cause = CAUSE_BY_CODE[code ?? ""];
  if (cause === undefined) return { problem: null, error: message || "It cannot be reached.", advice: null };
  return cause === "privateAddress" ? { ...CAUSES[cause], error: message ?? CAUSES[cause].error } : CAUSES[cause];
}

/** A response of a backend: the body as text, and the key that the request was sent with. */
export type ProblemResponse = { status: number; contentType: string; text: string; apiKey: string | undefined };

/**
 * Returns the failure that a response with an error status tells, with the backend's own words. `request` says whether a
 * path that does not exist is that of the list of models, or may mean that the model does not.
 */
export function toResponseFailure(response: ProblemResponse, request: "list" | "call"): BackendFailure {
  const cause = findCause(response, request);
  const { status } = response;
  if (cause === null)
    return quote({ problem: null, error: `It answered with status ${status}.`, advice: null }, response);
  const { error } = CAUSES[cause];
  return quote({ ...CAUSES[cause], error: `${error.slice(0, -1)} (status ${status}).` }, response);
}

/** The causes that are about the key of a request, so that another key may do. */
const KEY_CAUSES: ReadonlySet<CauseName> = new Set(["wrongKey", "permission", "apiDisabled", "credit", "rate"]);
/** Said about a prompt with status 403, as OpenRouter does. */
const ABOUT_CONTENT = /moderation|flagged|content.?(policy|filter)|safety/i;
/** Said about the account with status 400, as Anthropic does. */
const ABOUT_CREDIT_BALANCE = /credit balance is too low/i;

/**
 * Returns what a response to a call says of its key, without the backend's words, which may repeat the prompt; null if it is
 * about something else. `isLimit` says that the same key may be used again soon.
 */
export function toKeyFailure(status: number, text: string): { failure: BackendFailure; isLimit: boolean } | null {
  if (status === 400 && !ABOUT_KEY.test(text) && !ABOUT_CREDIT_BALANCE.test(text)) return null;
  if (status === 404 || status === 405 || status === 422) return null;
  if (status === 403 && ABOUT_CONTENT.test(text)) return null;
  const cause = findCause({ status, contentType: "", text, apiKey: "" }, "call");
  if (cause === null || !KEY_CAUSES.has(cause)) return null;
  const { problem, error, advice } = CAUSES[cause];
  return {
    failure: { problem, error: `${error.slice(0, -1)} (status ${status}).`, advice },
    isLimit: cause === "rate",
  };
}

/** Returns the failure for a response that is not what the API answers. */
export function toFormatFailure({ contentType, text }: ProblemResponse, request: "list" | "call"): BackendFailure {
  if (isPage(contentType, text)) return CAUSES.page;
  return request === "list" ? CAUSES.otherList : CAUSES.otherAnswer;
}

function findCause({ status, contentType, text, apiKey }: ProblemResponse, request: "list" | "call"): CauseName | null {
  if (status >= 300 && status < 400) return "moved";
  if (status === 401) return apiKey === undefined ? "noKey" : "wrongKey";
  if (status === 402) return "credit";
  if (status === 429) return ABOUT_CREDIT.test(text) ? "credit" : "rate";
  if (status === 451) return "country";
  if (isPage(contentType, text) && status < 500) return "page";
  if (status === 404 && ABOUT_PUBLISHER_MODEL.test(text)) return "noModelHere";
  if (status === 404 || status === 405) return request === "list" || !isJson(text) ? "noPath" : "noModel";
  if (status !== 400 && status !== 403 && status !== 422) return null;
  if (ABOUT_DISABLED_API.test(text)) return "apiDisabled";
  if (ABOUT_CREDIT.test(text)) return "credit";
  if (ABOUT_KEY.test(text)) return "wrongKey";
  if (ABOUT_COUNTRY.test(text)) return "country";
  if (ABOUT_MODEL.test(text)) return "noModel";
  return status === 403 ? "permission" : null;
}

/** Adds the words of a backend to a failure, without the key, which some repeat. */
function quote(failure: BackendFailure, { text, apiKey }: ProblemResponse): BackendFailure {
  const words = readMessage(text);
  if (words === null) return failure;
  const shown = cutText(apiKey === undefined ? words : words.replaceAll(apiKey, "…"), MAX_QUOTED_CHARACTERS);
  return { ...failure, error: `${failure.error} It says: ${shown}` };
}

/** Returns the message of an error in the forms of OpenAI, Anthropic, FastAPI and AWS; null for another form. */
function readMessage(text: string): string | null {
  const body = parseJson(text);
  // Google's OpenAI-compatible API sends errors in a list.
  const record = Array.isArray(body) ? body[0] : body;
  if (!isRecord(record)) return null;
  const { error, message, detail, Message } = record;
  const candidates = [isRecord(error) ? error.message : error, message, detail, Message];
  const found = candidates.find((candidate) => typeof candidate === "string" && candidate.trim() !== "");
  return typeof found === "string" ? found.replaceAll(/\s+/g, " ").trim() : null;
}

function isPage(contentType: string, text: string): boolean {
  return contentType.includes("text/html") || /^\s*<(!doctype|html)/i.test(text);
}

const isJson = (text: string): boolean => parseJson(text) !== null;
