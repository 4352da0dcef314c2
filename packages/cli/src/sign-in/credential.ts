import type { Fetch } from "@feather/sdk";
import { SignInError } from "../errors.ts";
import { createRenewal, type Renewing } from "./renewal.ts";

/** A stored token that ends by itself. */
export type Credential = {
  /** The token, renewed when it is about to end. */
  secret(): Promise<string>;
  /** A `fetch` that renews the token when the server refuses it, and sends the request once more. */
  fetch(plain: Fetch): Fetch;
};

/**
 * A token may end earlier than it said: when the clock of this machine is wrong, or when it was taken back. The server
 * refuses it then in the middle of a command.
 */
export function createCredential(deps: Renewing): Credential {
  const renew = createRenewal(deps);
  let latest: string | undefined;

  /** Another token than the refused one; undefined when there is none. */
  async function other(refused: string): Promise<string | undefined> {
    try {
      const renewed = await renew(refused);
      latest = renewed;
      return renewed === refused ? undefined : renewed;
    } catch (error) {
      if (error instanceof SignInError) return undefined; // what the server said stands
      throw error;
    }
  }

  return {
    async secret() {
      latest = await renew();
      return latest;
    },
    fetch: (plain) => async (request, init) => {
      const again = request.clone();
      const answer = await plain(request, init);
      const refused = /^Bearer (.+)$/.exec(again.headers.get("authorization") ?? "")?.[1];
      if (answer.status !== 401 || refused === undefined || refused !== latest) return answer;
      const renewed = await other(refused);
      if (renewed === undefined) return answer;
      await answer.body?.cancel();
      again.headers.set("authorization", `Bearer ${renewed}`);
      return plain(again, init);
    },
  };
}
