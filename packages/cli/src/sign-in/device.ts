import type { Context } from "../context.ts";
import { SignInError, WaitTimeoutError } from "../errors.ts";
import { CLIENT_ID, isSameAddress, SCOPES, type Tokens, toTokens, verifyIssuer } from "./client.ts";

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** Seconds that RFC 8628 adds to the polling interval after `slow_down`. */
const SLOW_DOWN_S = 5;
const MAX_PAUSE_S = 60;

/** Signs the person in by a code that they enter in the browser of any device (RFC 8628). Throws `SignInError` and `WaitTimeoutError`. */
export async function signInByDevice({ settings, createClient, output, signal, now, sleep }: Context): Promise<Tokens> {
  const client = await createClient(undefined);
  const issuer = await verifyIssuer(client, settings().baseUrl, signal);
  const started = await client.oauth.device({ client_id: CLIENT_ID, scope: SCOPES }, { signal });
  if (!isSameAddress(new URL("/", started.verification_uri).href, new URL("/", issuer).href))
    throw new Error("The server sends people to a page of another server. Nothing was signed in.");
  output.info(`On any device, go to ${started.verification_uri} and enter the code:`);
  output.info(`  ${started.user_code}`);
  output.info(`Or open ${started.verification_uri_complete}`);
  output.info(`Waiting; the code ends in ${Math.round(started.expires_in / 60)} minutes. Ctrl-C leaves.`);

  const deadline = now().getTime() + started.expires_in * 1000;
  const request = { grant_type: DEVICE_GRANT, device_code: started.device_code, client_id: CLIENT_ID };
  const { isApiError, ConnectionError } = await import("@feather/sdk");
  let pauseS = started.interval;
  for (;;) {
    await sleep(pauseS * 1000, signal);
    if (now().getTime() >= deadline) throw createExpiredError();
    try {
      return toTokens(await client.oauth.token(request, { signal, maxRetries: 0 }), now());
    } catch (error) {
      // A lost connection does not end the flow; the interval grows, as RFC 8628 requires.
      if (error instanceof ConnectionError) pauseS = Math.min(pauseS * 2, MAX_PAUSE_S);
      else if (!isApiError(error)) throw error;
      else if (error.code === "slow_down") pauseS += SLOW_DOWN_S;
      else if (error.code === "access_denied") throw new SignInError("it was refused in the browser");
      else if (error.code === "expired_token") throw createExpiredError();
      else if (error.code !== "authorization_pending") throw error;
    }
  }
}

function createExpiredError(): WaitTimeoutError {
  return new WaitTimeoutError("the code has ended, and nobody had entered it; feather login --device gives another");
}
