import { type ApiError, ERROR_ACTIONS, isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";

/** What the site shows for an error. */
export type ErrorDescription = {
  message: string;
  code: string | null;
  /** A link that helps to resolve it: another page of the site, or the confirmation page of the bank. */
  action: { label: string; to: string } | { label: string; bankUrl: string } | null;
};

type ErrorAction = (typeof ERROR_ACTIONS)[keyof typeof ERROR_ACTIONS];

/** The site's form of the actions that the contract names for errors. */
const ACTIONS: Record<ErrorAction, (error: ApiError) => ErrorDescription["action"]> = {
  add_card: () => ({ label: t`Add a card`, to: paths.paymentMethods }),
  change_card: () => ({ label: t`Use another card`, to: paths.paymentMethods }),
  see_invoice: () => ({ label: t`See the invoice`, to: `${paths.account}#invoices` }),
  confirm_with_bank: ({ details }) => toBankAction(details),
};

/** Texts for the site in place of API messages that address programs, by error code. */
const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  unauthorized: t`Your session has ended. Log in to go on.`,
  session_ended: t`Your session has ended. Log in to go on.`,
};

/**
 * Returns the message to show for any error. Failures of the server, and answers of a proxy in its place, have no message
 * for people.
 */
export function errorMessage(error: unknown): string {
  if (!isApiError(error))
    return t`The server cannot be reached. Nothing you entered is lost. Check the connection and try again.`;
  const { code, status, message, requestId } = error;
  // A status below 400 in an error means that a proxy answered instead of the server.
  if (status === 500 || status < 400 || code === null)
    return requestId
      ? t`The server failed at this. Try again; if it stays so, tell who runs it: request ${requestId}.`
      : t`The server failed at this. Try again; if it stays so, tell who runs it.`;
  return MESSAGES_BY_CODE[code] ?? message;
}

/** Returns the message to show for any error, with a link that helps where there is one. */
export function describeError(error: unknown): ErrorDescription {
  const code = isApiError(error) ? error.code : null;
  const action = isApiError(error) && hasAction(code) ? ACTIONS[ERROR_ACTIONS[code]](error) : null;
  return { message: errorMessage(error), code, action };
}

function hasAction(code: string | null): code is keyof typeof ERROR_ACTIONS {
  return code !== null && Object.hasOwn(ERROR_ACTIONS, code);
}

function toBankAction({ url }: Record<string, unknown>): ErrorDescription["action"] {
  return typeof url === "string" && url !== "" ? { label: t`Confirm with your bank`, bankUrl: url } : null;
}
