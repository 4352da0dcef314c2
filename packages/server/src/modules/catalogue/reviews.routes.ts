import type { components } from "@feather/openapi/schema";
import { signedIn } from "../../http/actor.ts";
import type { Handlers } from "../../http/bind.ts";
import { pageOf, pagination } from "../../http/pages.ts";
import { invalidRequest } from "../../shared/errors.ts";
import type { CatalogueRepository } from "./catalogue.repository.ts";
import { type Catalogue, noSuchModel } from "./catalogue.usecases.ts";
import type { ReviewRow, ReviewSort, ReviewsRepository } from "./reviews.repository.ts";
import type { Reviews } from "./reviews.usecases.ts";

type Review = components["schemas"]["Review"];
type Deps = {
  catalogueOf: Catalogue;
  catalogue: CatalogueRepository;
  reviewRows: ReviewsRepository;
  reviews: Reviews;
};

/** Handlers of reviews of models, and of their moderation. */
export function reviewRoutes({ catalogueOf, catalogue, reviewRows, reviews }: Deps): Handlers {
  /** Returns the id of a public model; throws `model_not_found` for others, since private models have no reviews. */
  async function modelOf(actor: Parameters<Catalogue["readerOf"]>[0], id: string): Promise<string> {
    const row = await catalogue.find(id, await catalogueOf.readerOf(actor));
    if (!row || row.organization_id !== null) throw noSuchModel(id);
    return row.id;
  }

  return {
    "models.reviews.list": async ({ actor, path, query }) => {
      const model = await modelOf(actor, path.id);
      const page = pageOf(query);
      const reader = actor.kind === "user" ? actor.userId : null;
      const [{ rows, total }, summary, own] = await Promise.all([
        reviewRows.list(model, reader, sortOf(query.sort), page.limit, page.offset),
        reviewRows.summary(model),
        reader === null ? undefined : reviewRows.findOwn(model, reader),
      ]);
      return {
        items: rows.map((row) => present(row, reader)),
        mine: own === undefined ? null : present(own, reader),
        pagination: pagination(page, total),
        summary,
      };
    },

    "models.reviews.create": async ({ actor, path, body, reply }) => {
      const caller = signedIn(actor);
      const model = await modelOf(actor, path.id);
      if (body.modelId !== undefined && body.modelId.toLowerCase() !== model.toLowerCase())
        throw invalidRequest("modelId is not valid: it names another model than the address.", { param: "modelId" });
      const { row, isNew } = await reviews.write(caller, model, { ...body, tags: body.tags ?? [] });
      reply.code(isNew ? 201 : 200);
      return present(row, caller.userId);
    },

    "models.reviews.delete": async ({ actor, path }) => {
      await reviews.delete(signedIn(actor), await modelOf(actor, path.id), path.reviewId);
      return undefined;
    },

    "models.reviews.helpful": async ({ actor, path, body }) =>
      reviews.vote(signedIn(actor), await modelOf(actor, path.id), path.reviewId, body?.helpful),

    "models.reviews.report": async ({ actor, path, body }) => {
      await reviews.report(signedIn(actor), await modelOf(actor, path.id), path.reviewId, body.reason);
      return undefined;
    },

    "models.reviews.tags": async () => ({ items: await reviewRows.tags() }),

    "admin.reviewTags.update": async ({ actor, body }) => {
      await reviews.setTags(signedIn(actor), body.items);
      return { items: await reviewRows.tags() };
    },

    "admin.reviews.list": async ({ actor, query }) => {
      const page = pageOf(query);
      const { userId } = signedIn(actor);
      const { rows, total } = await reviewRows.moderated(query.status ?? "reported", userId, page.limit, page.offset);
      return {
        items: rows.map(({ reports, ...row }) => ({
          review: present(row, userId),
          model_id: row.model_id,
          report_count: reports.length,
          hidden: row.hidden_at !== null,
          reports: reports.map(({ reason, created_at }) => ({
            reason,
            created_at: new Date(created_at).toISOString(),
          })),
        })),
        pagination: pagination(page, total),
      };
    },

    "admin.reviews.update": async ({ actor, path, body }) => {
      await reviews.moderate(signedIn(actor), path.id, body.hidden);
      return undefined;
    },
  };
}

function sortOf(sort = "-created_at"): ReviewSort {
  return {
    column: sort.replace("-", "") as ReviewSort["column"],
    direction: sort.startsWith("-") ? "desc" : "asc",
  };
}

function present(row: ReviewRow, reader: string | null): Review {
  return {
    id: row.id,
    user: { name: row.user_name },
    rating: row.rating,
    review: row.review,
    tags: row.tags,
    helpful_count: row.helpful_count,
    helpful: row.helpful,
    verified_caller: row.verified_caller,
    mine: row.user_id === reader,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
