import { expect, test } from "vitest";
import type { SignedInActor } from "../../platform/core/auth/actor.ts";
import { createSealerWithKey } from "../../platform/core/secrets/sealing.ts";
import { createSearch } from "./search.usecases.ts";

const KEY = { sealer: createSealerWithKey(new Uint8Array(32)), hash: (word: string) => word, tokenOf: () => "" };
const NOW = new Date("2026-11-30T08:00:00Z");
const COLLECTION = {
  ...{ id: "col_1", organization_id: "org_1", owner_id: null, created_by: null, created_by_name: null },
  ...{ sealed_fields: Buffer.alloc(0), embedding_model: "acme/embed", model_version: 1, documents: 0 },
  ...{ waiting_documents: 0, failed_documents: 0, passages: 0 },
  ...{ created_at: NOW, updated_at: NOW },
};
const ACTOR: SignedInActor = {
  ...{ kind: "user", userId: "usr_1", organizationId: "org_1", role: "developer", isAdmin: false },
  ...{ emailVerified: true, scopes: [], credential: { type: "session", id: "ses_1", impersonatedBy: null } },
};

type Deps = Parameters<typeof createSearch>[0];

/** Creates a search in a collection without vectors, unless others are given, whose model does what `embedTexts` does. */
const createEmptySearch = (
  embedTexts: Deps["embedTexts"],
  queryTimeoutMs: number,
  listVectors: Deps["passagesRepository"]["listVectors"] = async () => [],
) =>
  createSearch({
    embedTexts,
    queryTimeoutMs,
    organizationKeys: { find: async () => KEY, ensure: async () => KEY },
    collectionsRepository: {
      find: async () => COLLECTION,
      list: async () => [COLLECTION],
      lockOrganization: async () => {},
      count: async () => 1,
      insert: async () => {},
      update: async () => {},
      remove: async () => {},
    },
    passagesRepository: {
      find: async () => undefined,
      findAll: async () => [],
      listNext: async () => [],
      countWithHashes: async () => ({ total: 0, withHash: new Map() }),
      listWithHashes: async () => [],
      listVectors,
      countWithoutVectors: async () => 0,
      holdsVersion: async () => true,
      insertVectors: async () => true,
    },
  });
const REQUEST = { collection_ids: ["col_1"], query: "feathers" };
const never: Parameters<typeof createSearch>[0]["embedTexts"] = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
const TOO_LATE = {
  items: [],
  compared_by: "words",
  problems: ["Searched by words alone, since acme/embed did not answer in time."],
};

test("a search does not wait for ever for a model, and compares words alone", async () => {
  const search = createEmptySearch(never, 1);
  expect(await search(ACTOR, REQUEST, new AbortController().signal)).toEqual(TOO_LATE);
});

test("a search whose caller has gone ends at once, and is no failure of the server", async () => {
  const search = createEmptySearch(never, 60_000);
  const gone = new AbortController();
  const searching = search(ACTOR, REQUEST, gone.signal);
  setImmediate(() => gone.abort());
  expect(await searching).toEqual(TOO_LATE);
});

test("a search whose caller goes while vectors are compared reads no more of them", async () => {
  const gone = new AbortController();
  let reads = 0;
  const search = createEmptySearch(
    async () => [[1, 0]],
    60_000,
    async (_collection, after, limit) => {
      reads += 1;
      if (reads === 2) gone.abort();
      if (reads > 3) return [];
      const first = (after?.first_number ?? 0) + 1;
      const sealed_vectors = KEY.sealer.sealBytes(new Uint8Array(new Float32Array([1, 0]).buffer));
      return Array.from({ length: limit }, (_row, index) => {
        return { document_id: "doc_1", first_number: first + index, dimensions: 2, sealed_vectors };
      });
    },
  );
  await search(ACTOR, REQUEST, gone.signal);
  expect(reads).toBe(2);
});

test("a fault of the server is one, and not a model that cannot be used", async () => {
  const search = createEmptySearch(() => Promise.reject(new TypeError("a bug")), 60_000);
  await expect(search(ACTOR, REQUEST, new AbortController().signal)).rejects.toThrow("a bug");
});
