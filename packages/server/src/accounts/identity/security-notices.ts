import type { Database } from "../../platform/core/db/connect.ts";
import type { Mail } from "../../platform/mail/index.ts";

type Deps = { mail: Mail; publicUrl: string; productName: string };
/** Subject (without the product name) and text of a notice. */
export type SecurityNotice = { subject: string; text: string };

/** Creates the sender of mails about security changes of an account. */
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

/** Mails a security notice to a user. */
export type SendSecurityNotice = ReturnType<typeof createSecurityNotices>;
