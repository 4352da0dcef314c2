import { sign } from "node:crypto";

/** Returns a JSON Web Token, signed with RS256. `key` is a private key in PEM. */
export function signToken(claims: object, { key, keyId }: { key: string; keyId: string }): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const text = `${encode({ alg: "RS256", typ: "JWT", kid: keyId })}.${encode(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}
