import { type AppError, errors } from "../../platform/core/errors/index.ts";

/** Reasons for which our own codes stand. */
const DECLINE_REASONS: Readonly<Record<string, string>> = {
  card_gone: "the payment service no longer has it: add it again",
  other_currency: "the payment service charged another currency: ask whoever runs this server",
};

/** Returns the error `payments.card_declined` (402), with the decline code of the payment service. */
export function cardDeclined(code: string): AppError {
  const reason = DECLINE_REASONS[code] ?? code;
  return errors.payments.cardDeclined({ reason }, { details: { decline_code: code } });
}
