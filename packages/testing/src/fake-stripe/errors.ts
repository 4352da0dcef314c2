/** The fields of an error object of the API. */
export type ErrorFields = {
  type: "card_error" | "invalid_request_error" | "idempotency_error" | "api_error";
  code?: string;
  decline_code?: string;
  message: string;
  param?: string;
  payment_intent?: unknown;
  setup_intent?: unknown;
};

/** An error response of the API. */
export class StripeFault extends Error {
  readonly status: number;
  readonly fields: ErrorFields;
  constructor(status: number, fields: ErrorFields) {
    super(fields.message);
    this.status = status;
    this.fields = fields;
  }
}

/** Returns the error for an object that does not exist. */
export function missing(kind: string, id: string, param: string): StripeFault {
  return new StripeFault(param === "intent" || param === "id" ? 404 : 400, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** Returns the error for a parameter. */
export function invalid(param: string, message: string, code?: string): StripeFault {
  return new StripeFault(400, { type: "invalid_request_error", message, param, ...(code !== undefined && { code }) });
}
