/** Why there is no access token, as the test of a backend tells it apart. */
export type AccessTokenProblem =
  | "google.account"
  | "google.clock"
  | "google.key"
  | "google.key_form"
  | "google.unavailable";

/** The error of a key of which no access token can be had. */
export class AccessTokenError extends Error {
  override readonly name = "AccessTokenError";
  readonly code: AccessTokenProblem;

  constructor(code: AccessTokenProblem, message: string) {
    super(message);
    this.code = code;
  }
}
