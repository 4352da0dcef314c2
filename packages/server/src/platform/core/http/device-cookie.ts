import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import type { Signer } from "../secrets/sealing.ts";
import { DAY_S } from "../time.ts";

/** Name of the cookie that identifies a known device. */
export const DEVICE_COOKIE = "device";
const LIFETIME_S = 365 * DAY_S;
const NONCE_BYTES = 16;
const ISSUED_AT_BYTES = 6;
const HEAD_BYTES = NONCE_BYTES + ISSUED_AT_BYTES;
const SIGNATURE_BYTES = 32;
/** Length of a valid cookie in base64url without padding. */
const COOKIE_LENGTH = Math.ceil(((HEAD_BYTES + SIGNATURE_BYTES) * 4) / 3);

/** The account that a cookie is signed for. A change of password invalidates cookies from before it. */
export type DeviceOwner = { id: string; password_changed_at: Date | null };

export type DeviceCookie = ReturnType<typeof createDeviceCookie>;

/**
 * Creates the cookie that identifies a browser with an earlier sign-in to an account (OWASP: "Device Cookies"). It does not
 * sign anybody in: failed attempts with it are counted separately, so that attackers who guess passwords cannot delay the
 * owner. It contains a random nonce, the time of issue and a signature over both and the account, so it does not reveal the
 * account.
 */
export function createDeviceCookie({ signer, clock, secure }: { signer: Signer; clock: Clock; secure: boolean }) {
  const attributes = { path: "/api/auth", httpOnly: true, sameSite: "lax", secure } as const;

  const signedBytes = (head: Buffer, { id, password_changed_at }: DeviceOwner) =>
    Buffer.concat([head, Buffer.from(`${password_changed_at?.getTime() ?? ""} ${id}`)]);

  return {
    /** Sets a new cookie for the account after a successful sign-in. */
    grant(reply: FastifyReply, owner: DeviceOwner): void {
      const head = Buffer.alloc(HEAD_BYTES);
      randomBytes(NONCE_BYTES).copy(head);
      head.writeUIntBE(clock.now().getTime(), NONCE_BYTES, ISSUED_AT_BYTES);
      const value = Buffer.concat([head, signer.sign(signedBytes(head, owner))]).toString("base64url");
      reply.setCookie(DEVICE_COOKIE, value, { ...attributes, maxAge: LIFETIME_S });
    },

    /**
     * Returns the nonce of the request's cookie if it was issued for the account within the last year and after its last
     * change of password; otherwise null. `findOwner` is called only for a cookie of the right length.
     */
    async read(request: FastifyRequest, findOwner: () => Promise<DeviceOwner | undefined>): Promise<string | null> {
      const value = request.cookies[DEVICE_COOKIE];
      if (value?.length !== COOKIE_LENGTH) return null;
      const bytes = Buffer.from(value, "base64url");
      if (bytes.length !== HEAD_BYTES + SIGNATURE_BYTES) return null;
      const head = bytes.subarray(0, HEAD_BYTES);
      const ageMs = clock.now().getTime() - head.readUIntBE(NONCE_BYTES, ISSUED_AT_BYTES);
      const owner = await findOwner();
      if (!owner || ageMs > LIFETIME_S * 1_000) return null;
      const isOurs = signer.verify(signedBytes(head, owner), bytes.subarray(HEAD_BYTES));
      return isOurs ? head.toString("base64url", 0, NONCE_BYTES) : null;
    },

    clear(reply: FastifyReply): void {
      reply.clearCookie(DEVICE_COOKIE, attributes);
    },
  };
}
