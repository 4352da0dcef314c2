import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

let validate: ValidateFunction | undefined;

/** Returns whether a text can be the e-mail address of an account, by the contract's rule for registrations. */
export function isEmailAddress(text: string): boolean {
  validate ??= compile();
  return validate(text) === true;
}

function compile(): ValidateFunction {
  const ajv = new Ajv2020();
  formats.default(ajv);
  return ajv.compile({ type: "string", format: "email", maxLength: 254 });
}
