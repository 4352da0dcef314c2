import { PEER_VERSION } from "../replicas/peer-version.ts";
import { createSigner, SIGNING_PURPOSES } from "../secrets/sealing.ts";

/** The header in which a replica that refuses another version names its own. */
export const PEER_VERSION_HEADER = "feather-peer-version";

/** The token that each request between replicas must present. */
export type PeerToken = {
  /** The version of the protocol and the token, which all replicas of an installation derive from its secret. */
  value: string;
  /**
   * Returns whether the header `authorization` has the token, of this version or another one. The comparison takes constant
   * time.
   */
  check(authorization: string | undefined): "valid" | "other_version" | "invalid";
};

const TOKEN_TEXT = Buffer.from("calls between replicas");
const TOKEN_PATTERN = /^Bearer (\d{1,9})\.([\w-]+)$/;

/** Derives the token of an installation's replicas from the installation's secret. */
export function derivePeerToken(secret: Uint8Array, version: number = PEER_VERSION): PeerToken {
  const signer = createSigner(secret, SIGNING_PURPOSES.peerCalls);
  return {
    value: `${version}.${signer.sign(TOKEN_TEXT).toString("base64url")}`,
    check(authorization = "") {
      const [, otherVersion, signature] = TOKEN_PATTERN.exec(authorization) ?? [];
      if (signature === undefined || !signer.verify(TOKEN_TEXT, Buffer.from(signature, "base64url"))) return "invalid";
      return otherVersion === String(version) ? "valid" : "other_version";
    },
  };
}
