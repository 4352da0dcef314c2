import { type Fields, toRecord } from "../../formats/fields.ts";
import type { ApiRefusal } from "../api.ts";

/** The status that stands for each exception, by its name in a stream. Two have statuses that say something else. */
const STATUSES: Readonly<Record<string, number>> = {
  accessDeniedException: 403,
  internalServerException: 500,
  modelErrorException: 502,
  modelNotReadyException: 503,
  modelStreamErrorException: 502,
  modelTimeoutException: 504,
  resourceNotFoundException: 404,
  serviceQuotaExceededException: 429,
  serviceUnavailableException: 503,
  throttlingException: 429,
  validationException: 400,
};
/** What is said of a model that is not there, or only in an inference profile. Callers can do nothing about it. */
const NO_MODEL = /model identifier|on-demand throughput/i;
/** How a field is named that a model does not have. */
const EXTRA_FIELD = /extraneous key \[(\w+)\]/;

/** Returns a refusal as OpenAI's API would send it; one that names no known exception is returned unchanged. */
export function readRefusal(refusal: ApiRefusal): ApiRefusal {
  const name = String(refusal.headers["x-amzn-errortype"] ?? "").split(":")[0] ?? "";
  const error = toError(name, toMessage(refusal.text));
  return error === null ? refusal : { ...refusal, statusCode: error.status_code, text: JSON.stringify({ error }) };
}

/** Returns the error that the event of an exception means; null for other events. */
export function readException(event: Fields): Fields | null {
  const [name = ""] = Object.keys(event);
  if (!/exception$/i.test(name)) return null;
  const { message } = toRecord(event[name]);
  const text = String(message ?? "");
  return toError(name, text) ?? { code: name, message: text };
}

function toError(exception: string, message: string) {
  const name = exception.charAt(0).toLowerCase() + exception.slice(1);
  const status = STATUSES[name];
  if (status === undefined) return null;
  return {
    status_code: status === 400 && NO_MODEL.test(message) ? 404 : status,
    code: exception,
    message: name === "modelNotReadyException" ? "The model is being loaded." : message,
    param: EXTRA_FIELD.exec(message)?.[1] ?? null,
  };
}

function toMessage(text: string): string {
  try {
    const { message, Message } = toRecord(JSON.parse(text));
    return String(message ?? Message ?? "");
  } catch {
    return "";
  }
}
