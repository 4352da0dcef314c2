import type { Context } from "../context.ts";
import { SignInError, WaitTimeoutError } from "../errors.ts";
import { isSameAddress, REQUESTED_SCOPES, type Tokens, toTokens, verifyIssuer } from "./client.ts";

/** Signs the person in by a code that they enter in the browser of any device (RFC 8628). Throws `SignInError` and `WaitTimeoutError`. */
export async function signInByDevice({
  settings,
  createClient,
  createOAuth,
  output,
  signal,
}: Context): Promise<Tokens> {
  const issuer = await verifyIssuer(await createClient(undefined), settings().baseUrl, signal);
  const oauth = await createOAuth();
  const started = await oauth.startDevice({ scope: REQUESTED_SCOPES, signal });
  if (!isSameAddress(new URL("/", started.verification_uri).href, new URL("/", issuer).href))
    throw new Error("The server sends people to a page of another server. Nothing was signed in.");
  output.info(`On any device, go to ${started.verification_uri} and enter the code:`);
  output.info(`  ${started.user_code}`);
  output.info(`Or open ${started.verification_uri_complete}`);
  output.info(`The code ends in ${Math.round(started.expires_in / 60)} minutes. Ctrl-C leaves.`);

  const { isApiError } = await import("@feather/sdk");
  const wait = output.waits.begin("Waiting for the code to be entered");
  try {
    return toTokens(await oauth.pollDevice(started, signal));
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (error.code === "access_denied") throw new SignInError("it was refused in the browser");
    if (error.code === "expired_token")
      throw new WaitTimeoutError("the code has ended, and nobody had entered it; feather login --device gives another");
    throw error;
  } finally {
    wait.end();
  }
}
