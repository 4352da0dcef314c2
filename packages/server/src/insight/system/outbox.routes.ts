import type { Selectable } from "kysely";
import type { Reauthenticate, UsersRepository } from "../../accounts/identity/index.ts";
import type { ReadLog } from "../../platform/audit/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Outbox } from "../../platform/core/db/schema.generated.ts";
import { errors } from "../../platform/core/errors/index.ts";
import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../platform/core/http/pagination.ts";
import type { RateLimiter } from "../../platform/core/http/rate-limits.ts";
import { redactSecrets } from "../../platform/mail/index.ts";

type MessageState = "waiting" | "sent" | "failed";

type Deps = {
  db: Database;
  /** Whether messages are sent by mail. If not, admins may read them in the outbox. */
  deliversMail: boolean;
  usersRepository: UsersRepository;
  reauthenticate: Reauthenticate;
  audit: Audit;
  readLog: ReadLog;
  limits: RateLimiter;
};

/** Handlers of the outbox: lists messages, and reveals one after the password was entered again. */
export function outboxRoutes({
  db,
  deliversMail,
  usersRepository,
  reauthenticate,
  audit,
  readLog,
  limits,
}: Deps): Handlers {
  const selectMessages = (state: MessageState | undefined, search: string | undefined) => {
    let query = db.selectFrom("outbox");
    if (state === "sent") query = query.where("sent_at", "is not", null);
    if (state === "failed") query = query.where("failed_at", "is not", null);
    if (state === "waiting") query = query.where("sent_at", "is", null).where("failed_at", "is", null);
    if (!search) return query;
    const part = `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
    return query.where((eb) => eb.or([eb("recipient", "ilike", part), eb("subject", "ilike", part)]));
  };

  return {
    "admin.revealMessage": async ({ actor, path, body, request, reply }) => {
      const admin = actor;
      if (deliversMail) throw errors.outbox.sentByMail();
      await limits.consume("login", request.ip, admin.userId);
      const user = await usersRepository.findWithOrganization(admin.userId);
      await reauthenticate(admin, { hash: user?.password_hash ?? null, password: body.password, field: "password" });
      const row = await db.selectFrom("outbox").selectAll().where("id", "=", path.id).executeTakeFirst();
      if (!row) throw errors.outbox.notFound();
      const details = { kind: row.kind, to: row.recipient };
      await audit.record({ actor: admin, action: "outbox.reveal", target: row.id, details });
      reply.header("cache-control", "no-store");
      return { text: row.body };
    },

    "admin.outbox": async ({ actor, query }) => {
      await readLog.record({ actor: actor, action: "outbox.read", target: null });
      const page = parsePage(query);
      const rows = selectMessages(query.state, query.search);
      const [items, total] = await Promise.all([
        rows.selectAll().orderBy("created_at", "desc").orderBy("id").limit(page.limit).offset(page.offset).execute(),
        rows.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow(),
      ]);
      return { items: items.map(toOutboxMessageDto), pagination: toPagination(page, Number(total.count)) };
    },
  };
}

function toOutboxMessageDto(row: Selectable<Outbox>) {
  return {
    id: row.id,
    kind: row.kind,
    to: row.recipient,
    subject: row.subject,
    text: redactSecrets(row.body, "(hidden)"),
    state: toMessageState(row),
    attempts: row.attempts,
    last_error: row.last_error,
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
  };
}

function toMessageState({ sent_at, failed_at }: Selectable<Outbox>): MessageState {
  if (sent_at) return "sent";
  return failed_at ? "failed" : "waiting";
}
