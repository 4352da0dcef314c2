import type { Database } from "../core/db/connect.ts";
import type { MailTemplate, MailValues, MailVariables } from "./mail-template.ts";
import type { Outbox } from "./outbox.ts";
import type { RenderMail } from "./render-mail.ts";

/** A file that is attached to an e-mail. */
export type Attachment = { filename: string; contentType: string; content: Uint8Array };

/** Draws the document that an attachment names, as one file or more; none when there is no document of that name. */
export type RenderAttachments = (name: string) => Promise<Attachment[]>;

/** A template and the values of its variables. */
export type TemplatedMessage<V extends MailVariables> = {
  template: MailTemplate<V>;
  values: MailValues<NoInfer<V>>;
};

/** Sends e-mails through the outbox. */
export type Mail = {
  /**
   * Adds a message to the outbox, with the words of the operator if they edited its template. With `trx` it is sent if and
   * only if that transaction commits. `attachment` names a document, which is drawn when the message is sent.
   */
  send<V extends MailVariables>(
    message: TemplatedMessage<V> & { to: string; attachment?: string },
    trx?: Database,
  ): Promise<void>;
};

/** Creates the mailer. Messages get their words when they are put into the outbox; later changes of a template leave them as they are. */
export function createMail({ outbox, render }: { outbox: Outbox; render: RenderMail }): Mail {
  return {
    async send({ template, values, to, attachment }, trx) {
      const text = await render(template, values, trx);
      await outbox.add({ kind: template.kind, to, ...text, ...(attachment !== undefined && { attachment }) }, trx);
    },
  };
}
