import type { Database } from "../../db/connect.ts";
import type { Mail } from "../mail/mail.ts";

type Deps = { mail: Mail; publicUrl: string; productName: string };
/** What the owner is told: a subject without the product's name, and one sentence or more. */
export type SecurityNotice = { subject: string; text: string };

/** Tells people by mail when something changes about how their account is protected. */
export function createSecurityNotices({ mail, publicUrl, productName }: Deps) {
  return (email: string, { subject, text }: SecurityNotice, trx: Database): Promise<void> =>
    mail.send(
      {
        kind: "account_security",
        to: email,
        subject: `${subject} at ${productName}`,
        text: `${text}\n\nIf that was not you, reset your password at once: ${publicUrl}/reset-password`,
      },
      trx,
    );
}

export type SendSecurityNotice = ReturnType<typeof createSecurityNotices>;
