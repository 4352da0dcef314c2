import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../../shared/errors.ts";
import { isGuessedFirst } from "./guessable.ts";

const derive = promisify(argon2);

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const FORM = "argon2id$19456$2$1";

/** Returns `argon2id$memory$passes$lanes$salt$hash`. The parameters allow for others in later versions. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await derive("argon2id", { ...COST, message: password.normalize("NFKC"), nonce });
  return `${FORM}$${nonce.toString("base64")}$${hash.toString("base64")}`;
}

/** Returns whether the password matches the hash. Takes as long if `stored` is null, so that timing does not reveal accounts. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [salt, hash] = stored?.startsWith(`${FORM}$`) ? stored.slice(FORM.length + 1).split("$") : [];
  const nonce = Buffer.from(salt ?? "AAAAAAAAAAAAAAAAAAAAAA==", "base64");
  const found = await derive("argon2id", { ...COST, message: password.normalize("NFKC"), nonce });
  return hash !== undefined && timingSafeEqual(found, Buffer.from(hash, "base64"));
}

/**
 * Throws 400 for passwords that are easily guessed: see `isGuessablePassword`. `names` are names of the account or the site
 * besides the e-mail. The contract checks the length.
 */
export function refuseCommonPassword(password: string, email: string, names: readonly string[] = []): void {
  if (!isGuessedFirst(password, [email, ...names])) return;
  const message =
    "This password is among the first that are guessed: a common word or a name with digits or signs around it. Choose another.";
  throw new AppError(400, "password_too_common", message, {
    param: "password",
    details: { fields: [{ field: "password", message }] },
  });
}
