import type { components } from "@feather/openapi/schema";
import type { Account, TestServer } from "../../../testing/server.ts";

type Schemas = components["schemas"];
/** A collection as callers get it. */
export type Collection = Schemas["Collection"];
/** A document as callers get it. */
export type CollectionDocument = Schemas["CollectionDocument"];
/** The answer to a search. */
export type SearchResult = Schemas["CollectionSearchResult"];

/** The model whose vectors are those of `meaningOf`. */
export const EMBEDDING_MODEL = "acme/embed-small";
/** The job that has vectors made. */
export const JOB = "make vectors of documents";

const TOPICS: readonly RegExp[] = [/holiday|vacation|leave/gi, /dog|puppy|hound/gi, /rain|storm|weather/gi];

/** Returns a vector of what a text is about, by words that mean the same. Texts about nothing known are alike. */
export const meaningOf = (text: string): number[] => [...TOPICS.map((topic) => (text.match(topic) ?? []).length), 0.1];

/** Returns functions that call the API of collections, which throw where a call that must succeed fails. */
export function createCollectionCalls(server: TestServer) {
  const call = (who: Account | { token: string }, path: string, method = "GET", body?: object) =>
    server.call(`/api/collections${path}`, { token: who.token, method, ...(body !== undefined && { body }) });
  async function read<T>(who: Account | { token: string }, path: string, method = "GET", body?: object): Promise<T> {
    const answer = await call(who, path, method, body);
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body as T;
  }
  const upload = (who: Account | { token: string }, id: string, name: string, content: string | Buffer) => {
    const body = new FormData();
    body.append("file", new File([new Uint8Array(Buffer.from(content))], name));
    return server.call(`/api/collections/${id}/documents`, { token: who.token, body });
  };
  return {
    call,
    read,
    upload,
    create: (who: Account, fields: object = {}) =>
      read<Collection>(who, "", "POST", { name: "Handbook", embedding_model: null, ...fields }),
    async add(who: Account, id: string, name: string, content: string | Buffer): Promise<CollectionDocument> {
      const answer = await upload(who, id, name, content);
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      return answer.body as CollectionDocument;
    },
    documents: async (who: Account, id: string) =>
      (await read<{ items: CollectionDocument[] }>(who, `/${id}/documents`)).items,
    search: (who: Account | { token: string }, ids: readonly string[], query: string, more: object = {}) =>
      read<SearchResult>(who, "/search", "POST", { collection_ids: ids, query, ...more }),
    /** Adds a person to an organization, who then acts for it. */
    async addMember(owner: Account, role: "admin" | "editor" | "developer" | "viewer"): Promise<Account> {
      const member = await server.signUp();
      const { organizationId } = owner;
      await server.db
        .insertInto("memberships")
        .values({ organization_id: organizationId, user_id: member.userId, role })
        .execute();
      const body = { organization_id: organizationId };
      const switched = await server.call("/api/organization/switch", { token: member.token, body });
      if (switched.status !== 200) throw new Error(switched.text);
      return { ...member, organizationId };
    },
  };
}
