import type { ConversationEntry, Conversation as ServerConversation } from "@feather/sdk";
import { ApiError, NotFoundError } from "@feather/sdk";
import type { ConversationsApi } from "#/features/chat/conversation/store/server-store.ts";

type Stored = { conversation: ServerConversation; entries: Map<string, ConversationEntry>; revision: number };

const refuse = (status: number, code: string) =>
  new (status === 404 ? NotFoundError : ApiError)({
    status,
    message: code,
    code,
    requestId: null,
    details: {},
    param: null,
    retryAfterMs: null,
    headers: new Headers(),
  });

/** The API of conversations in memory, as devices of one person share it. `failWith` makes every call fail. */
export function createConversationsApi() {
  const stored = new Map<string, Stored>();
  const deleted = new Map<string, number>();
  let revision = 0;
  let failure: Error | null = null;
  const check = async () => {
    await Promise.resolve();
    if (failure) throw failure;
  };
  const require = (id: string): Stored => {
    const one = stored.get(id);
    if (!one) throw refuse(404, "conversations.not_found");
    return one;
  };
  const remove = (id: string) => {
    if (stored.delete(id)) deleted.set(id, ++revision);
  };
  const api = {
    async changes({ after = 0 } = {}) {
      await check();
      const items = [...stored.values()].filter((one) => one.revision > after).map(({ conversation }) => conversation);
      const deleted_ids = [...deleted].filter(([, at]) => at > after).map(([id]) => id);
      return { items, deleted_ids, revision, has_more: false };
    },
    async get(id: string) {
      await check();
      return require(id).conversation;
    },
    async put(id: string, { version, ...fields }: Parameters<ConversationsApi["put"]>[1]) {
      await check();
      if (deleted.has(id)) throw refuse(409, "conversations.deleted");
      const current = stored.get(id);
      if ((current?.conversation.version ?? 0) !== version) throw refuse(409, "conversations.changed");
      const place = { is_pinned: false, is_archived: false, folder: null, ...current?.conversation };
      const conversation = structuredClone({ ...place, ...fields, id, version: version + 1 });
      stored.set(id, { conversation, entries: current?.entries ?? new Map(), revision: ++revision });
      return conversation;
    },
    async entries(id: string) {
      await check();
      return { items: structuredClone([...require(id).entries.values()]), next_after: null };
    },
    async putEntries(id: string, { items }: { items: ConversationEntry[] }) {
      await check();
      const one = require(id);
      for (const entry of items) one.entries.set(entry.id, structuredClone(entry));
      one.revision = ++revision;
    },
    async delete(id: string) {
      await check();
      require(id);
      remove(id);
    },
    async deleteAll() {
      await check();
      for (const id of [...stored.keys()]) remove(id);
    },
    async search({ q }: { q: string }) {
      await check();
      const items = [...stored.values()].flatMap(({ conversation, entries }) => {
        const found = [...entries.values()].find(({ text }) => text.toLowerCase().includes(q.toLowerCase()));
        return found
          ? [
              {
                conversation,
                excerpt: found.text
                  .slice(Math.max(0, found.text.toLowerCase().indexOf(q.toLowerCase()) - 30))
                  .slice(0, 100),
              },
            ]
          : [];
      });
      return { items };
    },
  };
  return {
    api: api as unknown as ConversationsApi,
    failWith(error: Error | null) {
      failure = error;
    },
    /** An error as the server answers it. */
    refuse,
    stored,
  };
}
