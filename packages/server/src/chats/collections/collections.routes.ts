import type { Handlers } from "../../platform/core/http/handlers.ts";
import { parsePage } from "../../platform/core/http/pagination.ts";
import { whenGone } from "../../platform/core/http/when-gone.ts";
import { answerUpload } from "../documents/index.ts";
import type { CollectionUseCases } from "./collections.usecases.ts";
import type { DocumentUseCases } from "./documents.usecases.ts";
import type { createSearch } from "./search.usecases.ts";
import type { createFindTextPassages } from "./text-passages.usecases.ts";

type Deps = {
  collections: CollectionUseCases;
  documents: DocumentUseCases;
  search: ReturnType<typeof createSearch>;
  findTextPassages: ReturnType<typeof createFindTextPassages>;
};

/** Routes of the collections of the caller's organization, and of the search in texts that are not stored. */
export function collectionRoutes({ collections, documents, search, findTextPassages }: Deps): Handlers {
  return {
    "collections.list": async ({ actor }) => ({ items: await collections.list(actor) }),
    "collections.get": ({ actor, path }) => collections.get(actor, path.id),
    "collections.create": ({ actor, body }) => collections.create(actor, body),
    "collections.update": ({ actor, path, body }) => collections.update(actor, path.id, body),
    "collections.delete": async ({ actor, path }) => {
      await collections.delete(actor, path.id);
      return undefined;
    },
    "collections.search": ({ actor, body, reply }) => search(actor, body, whenGone(reply.raw)),
    "documents.findPassages": ({ actor, body, reply }) => findTextPassages(actor, body, whenGone(reply.raw)),
    "collections.documents.list": ({ actor, path, query }) => documents.list(actor, path.id, parsePage(query)),
    "collections.documents.add": ({ actor, path, body, exchange }) =>
      answerUpload(exchange, body, 201, (upload) => documents.add(actor, path.id, upload)),
    "collections.documents.delete": async ({ actor, path }) => {
      await documents.delete(actor, path.id, path.document_id);
      return undefined;
    },
    "collections.passages.get": ({ actor, path }) =>
      documents.getPassage(actor, path.id, { documentId: path.document_id, number: path.number }),
  };
}
