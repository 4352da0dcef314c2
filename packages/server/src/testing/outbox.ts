import type { MailKind } from "../platform/mail/mail.ts";
import type { TestServer } from "./server.ts";

/** Messages of a kind in the outbox for a recipient, newest first. */
export async function listMessages({ db }: TestServer, email: string, kind?: MailKind) {
  const query = db.selectFrom("outbox").selectAll().where("recipient", "=", email);
  return (kind ? query.where("kind", "=", kind) : query).orderBy("created_at", "desc").execute();
}

/** Returns the token in the newest such message; empty if there is none. */
export async function findMailedToken(server: TestServer, email: string, kind: MailKind): Promise<string> {
  const [message] = await listMessages(server, email, kind);
  return /one_[0-9A-Za-z]{49}/.exec(message?.body ?? "")?.[0] ?? "";
}
