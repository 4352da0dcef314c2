import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { RandomBytes } from "../../../platform/core/secrets/secrets.ts";

const RECOVERY_CODE_COUNT = 10;

type Deps = {
  /** Key of the HMAC: recovery codes are short, so plain hashes could be brute-forced. */
  pepper: Uint8Array;
  clock: Clock;
  random?: RandomBytes;
};

/** Creates the store of recovery codes, which replace a lost second factor. Each works once. */
export function createRecoveryCodes({ pepper, clock, random = randomBytes }: Deps) {
  const hashCode = (code: string) =>
    createHmac("sha256", pepper)
      .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ""))
      .digest();

  async function remove(userId: string, trx: Database): Promise<void> {
    await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  }

  return {
    remove,

    /** Consumes a code. Returns whether it was an unused code of the user. */
    async consume(userId: string, code: string, trx: Database): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable("recovery_codes")
        .set({ used_at: clock.now() })
        .where("user_id", "=", userId)
        .where("code_hash", "=", hashCode(code))
        .where("used_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Generates and returns codes if the user has none left; otherwise returns an empty list. */
    async ensure(userId: string, trx: Database): Promise<string[]> {
      const unused = await trx
        .selectFrom("recovery_codes")
        .select("user_id")
        .where("user_id", "=", userId)
        .where("used_at", "is", null)
        .limit(1)
        .executeTakeFirst();
      if (unused) return [];
      const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => generateRecoveryCode(random));
      await remove(userId, trx);
      await trx
        .insertInto("recovery_codes")
        .values(codes.map((code) => ({ user_id: userId, code_hash: hashCode(code) })))
        .execute();
      return codes;
    },
  };
}

/** Generates and consumes recovery codes. */
export type RecoveryCodes = ReturnType<typeof createRecoveryCodes>;

/** Returns ten characters that are hard to confuse, such as `x7k2p-9qamw`. */
function generateRecoveryCode(random: RandomBytes): string {
  const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
  const letters: string[] = [];
  while (letters.length < 10)
    // Bytes from 248 on would make some letters more likely.
    for (const byte of random(16))
      if (byte < 248 && letters.length < 10) letters.push(alphabet.charAt(byte % alphabet.length));
  return `${letters.slice(0, 5).join("")}-${letters.slice(5).join("")}`;
}
