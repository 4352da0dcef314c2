import type { Fetch } from "@feather/sdk";
import { SignInError } from "../errors.ts";
import { createRenewal, type RenewalOptions } from "./renewal.ts";

/** A stored token that expires and can be renewed. */
export type Credential = {
  /** Returns the token, renewed when it is about to expire. */
  secret(): Promise<string>;
  /** Wraps a `fetch`: when the server refuses the token, renews it and sends the request once more. */
  fetch(baseFetch: Fetch): Fetch;
};

/**
 * Creates the credential of a stored sign-in. The server may refuse its token earlier than it expires: when the clock of
 * this machine is wrong, or the token was revoked.
 */
export function createCredential(options: RenewalOptions): Credential {
  const renew = createRenewal(options);
  let latest: string | undefined;

  /** Returns a new token instead of the refused one; undefined when there is none. */
  async function renewRefused(refused: string): Promise<string | undefined> {
    try {
      const renewed = await renew(refused);
      latest = renewed;
      return renewed === refused ? undefined : renewed;
    } catch (error) {
      if (error instanceof SignInError) return undefined; // the server's response is returned
      throw error;
    }
  }

  return {
    async secret() {
      latest = await renew();
      return latest;
    },
    fetch: (baseFetch) => async (request, init) => {
      const retry = request.clone();
      const answer = await baseFetch(request, init);
      const refused = /^Bearer (.+)$/.exec(retry.headers.get("authorization") ?? "")?.[1];
      if (answer.status !== 401 || refused === undefined || refused !== latest) return answer;
      const renewed = await renewRefused(refused);
      if (renewed === undefined) return answer;
      await answer.body?.cancel();
      retry.headers.set("authorization", `Bearer ${renewed}`);
      return baseFetch(retry, init);
    },
  };
}
