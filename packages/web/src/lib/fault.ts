import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { paths } from "#/config/paths.ts";

export type Fault = {
  message: string;
  code: string | null;
  /** What helps: another page of the site, or the page of the bank. */
  way: { label: string; to: string } | { label: string; bank: string } | null;
};

const UNREACHED = t`The server cannot be reached. Nothing you entered is lost. Check the connection and try again.`;

/** What went wrong, in words, and what can be done about it. */
export function faultOf(error: unknown): Fault {
  if (!isApiError(error)) return { message: UNREACHED, code: null, way: null };
  const { code, message, status } = error;
  const plain: Fault = { message, code, way: null };
  if (code === "authentication_required") return { ...plain, way: bankOf(error.details) };
  if (code === "payment_method_required") return { ...plain, way: { label: t`Add a card`, to: paths.paymentMethods } };
  if (code === "card_declined") return { ...plain, way: { label: t`Use another card`, to: paths.paymentMethods } };
  if (code === "subscription.payment_due")
    return { ...plain, way: { label: t`See the invoice`, to: `${paths.account}#invoices` } };
  // A success that is none: something between here and the server answered in its place.
  if (status >= 500 || status < 400)
    return { ...plain, message: t`The server failed at this. Try again; if it stays so, tell who runs it.` };
  return plain;
}

function bankOf({ url }: Record<string, unknown>): Fault["way"] {
  return typeof url === "string" && url !== "" ? { label: t`Confirm with your bank`, bank: url } : null;
}
