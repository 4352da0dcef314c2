import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { errors } from "../../core/errors/index.ts";
import { isGuessablePassword } from "./guessable-passwords.ts";

const argon2Async = promisify(argon2);

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const ARGON2_OPTIONS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const HASH_PREFIX = "argon2id$19456$2$1";

/** Returns `argon2id$memory$passes$lanes$salt$hash`. The parameters allow for others in later versions. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await argon2Async("argon2id", { ...ARGON2_OPTIONS, message: password.normalize("NFKC"), nonce });
  return `${HASH_PREFIX}$${nonce.toString("base64")}$${hash.toString("base64")}`;
}

/** Returns whether the password matches the hash. Takes as long if `stored` is null, so that timing does not reveal accounts. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [salt, hash] = stored?.startsWith(`${HASH_PREFIX}$`) ? stored.slice(HASH_PREFIX.length + 1).split("$") : [];
  const nonce = Buffer.from(salt ?? "AAAAAAAAAAAAAAAAAAAAAA==", "base64");
  const computedHash = await argon2Async("argon2id", { ...ARGON2_OPTIONS, message: password.normalize("NFKC"), nonce });
  return hash !== undefined && timingSafeEqual(computedHash, Buffer.from(hash, "base64"));
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
