import { AppError, notFound } from "../../shared/errors.ts";

/** `hub.not_found` (404). */
export const hubNotFound = (what: string) => notFound(`The model hub has no ${what}.`, "hub.not_found");

/** `hub.gated` (403): the token may not read the repository. */
export const hubGated = (id: string) =>
  new AppError(
    403,
    "hub.gated",
    `The model hub does not let this token read ${id}. Accept the terms on the model's page there, with the account of the token.`,
  );

/** `hub.token_refused` (403): the hub rejects the token. */
export const hubTokenRefused = () =>
  new AppError(403, "hub.token_refused", "The model hub does not know this token, or it has expired.");

/** `hub.unavailable` (503): the hub cannot be reached or fails. */
export const hubUnavailable = (cause?: unknown) =>
  new AppError(503, "hub.unavailable", "The model hub cannot be reached just now. Try again in a minute.", {
    headers: { "retry-after": "60" },
    cause,
  });

/** `hub.bad_answer` (502): the hub responded with something unexpected. */
export const hubInvalidResponse = (what: string, cause?: unknown) =>
  new AppError(502, "hub.bad_answer", `The model hub answered something else than ${what}.`, { cause });
