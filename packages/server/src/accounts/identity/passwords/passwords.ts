import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { errors } from "../../../platform/core/errors/index.ts";
import { isGuessablePassword } from "./guessable-passwords.ts";

/** Computes an argon2 hash; that of Node by default. */
export type Argon2 = typeof computeArgon2;
const computeArgon2 = promisify(argon2);

/** The cost of a hash: memory in KiB, and the number of passes over it. */
export type PasswordCost = { memory: number; passes: number };

/** OWASP's recommendation for argon2id with one lane. */
const RECOMMENDED_COST: PasswordCost = { memory: 19_456, passes: 2 };

/** Hashes passwords with argon2id. */
export type PasswordHasher = {
  /**
   * Returns `argon2id$memory$passes$lanes$salt$hash`. The hash contains its parameters, so that later versions may use
   * others.
   */
  hash(password: string): Promise<string>;
  /** Returns whether the password matches the hash. Takes as long if `stored` is null, so that timing does not reveal accounts. */
  verify(password: string, stored: string | null): Promise<boolean>;
};

/** Creates a hasher of this cost. Hashes of another cost match no password. */
export function createPasswordHasher(
  { memory, passes } = RECOMMENDED_COST,
  compute: Argon2 = computeArgon2,
): PasswordHasher {
  const prefix = `argon2id$${memory}$${passes}$1`;
  const derive = (password: string, nonce: Buffer) => {
    const message = password.normalize("NFKC");
    return compute("argon2id", { memory, passes, parallelism: 1, tagLength: 32, message, nonce });
  };
  return {
    async hash(password) {
      const nonce = randomBytes(16);
      const hash = await derive(password, nonce);
      return `${prefix}$${nonce.toString("base64")}$${hash.toString("base64")}`;
    },
    async verify(password, stored) {
      const [salt, hash] = stored?.startsWith(`${prefix}$`) ? stored.slice(prefix.length + 1).split("$") : [];
      const computed = await derive(password, Buffer.from(salt ?? "AAAAAAAAAAAAAAAAAAAAAA==", "base64"));
      return hash !== undefined && timingSafeEqual(computed, Buffer.from(hash, "base64"));
    },
  };
}

/**
 * Throws 400 for passwords that are easily guessed: see `isGuessablePassword`. `names` are names of the account or the site
 * besides the e-mail. The contract checks the length.
 */
export function refuseCommonPassword(password: string, email: string, names: readonly string[] = []): void {
  if (!isGuessablePassword(password, [email, ...names])) return;
  const message =
    "This password is among the first that are guessed: a common word or a name with digits or signs around it. Choose another.";
  throw errors.auth.passwordTooCommon(message, {
    param: "password",
    details: { fields: [{ field: "password", message }] },
  });
}
