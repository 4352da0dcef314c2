import { AppError, notFound } from "../../shared/errors.ts";

export const hubNotFound = (what: string) => notFound(`The model hub has no ${what}.`, "hub.not_found");

export const hubGated = (id: string) =>
  new AppError(
    403,
    "hub.gated",
    `The model hub does not let this token read ${id}. Accept the terms on the model's page there, with the account of the token.`,
  );

export const hubTokenRefused = () =>
  new AppError(403, "hub.token_refused", "The model hub does not know this token, or it has expired.");

export const hubUnavailable = (cause?: unknown) =>
  new AppError(503, "hub.unavailable", "The model hub cannot be reached just now. Try again in a minute.", {
    headers: { "retry-after": "60" },
    cause,
  });

export const hubBadAnswer = (what: string, cause?: unknown) =>
  new AppError(502, "hub.bad_answer", `The model hub answered something else than ${what}.`, { cause });
