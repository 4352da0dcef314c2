import type { SignedInActor } from "./actor.ts";

/** Finds the holder of a credential. Throws 401 or 403 if the credential is invalid. */
export type Authenticator = { authenticate(secret: string): Promise<SignedInActor> };
