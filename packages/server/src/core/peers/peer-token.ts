import { createSigner, SIGNING_PURPOSES } from "../sealing.ts";

/** What each request to a replica's listener for replicas must present. */
export type PeerToken = {
  /** The token, which all replicas of an installation derive from its secret. */
  value: string;
  /** Whether the header `authorization` of a request holds the token; compared in constant time. */
  isIn(authorization: string | undefined): boolean;
};

const TOKEN_TEXT = Buffer.from("calls between replicas");
const PREFIX = "Bearer ";

/** Derives the token of an installation's replicas from its secret. */
export function derivePeerToken(secret: Uint8Array): PeerToken {
  const signer = createSigner(secret, SIGNING_PURPOSES.peerCalls);
  return {
    value: signer.sign(TOKEN_TEXT).toString("base64url"),
    isIn: (authorization = "") =>
      authorization.startsWith(PREFIX) &&
      signer.verify(TOKEN_TEXT, Buffer.from(authorization.slice(PREFIX.length), "base64url")),
  };
}
