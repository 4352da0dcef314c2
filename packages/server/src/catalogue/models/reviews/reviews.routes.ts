import type { components } from "@feather/openapi/schema";
import { errors } from "../../../platform/core/errors/index.ts";
import type { Handlers } from "../../../platform/core/http/handlers.ts";
import { parsePage, toPagination } from "../../../platform/core/http/pagination.ts";
import type { CatalogueRepository } from "../catalogue.repository.ts";
import { type Catalogue, modelNotFound } from "../catalogue.usecases.ts";
import type { ReviewRow, ReviewSort, ReviewsRepository } from "./reviews.repository.ts";
import type { Reviews } from "./reviews.usecases.ts";

type Review = components["schemas"]["Review"];
type Deps = {
  catalogue: Catalogue;
  catalogueRepository: CatalogueRepository;
  reviewsRepository: ReviewsRepository;
  reviews: Reviews;
};

/** Handlers of reviews of models and of their moderation. */
export function reviewRoutes(deps: Deps): Handlers {
  return { ...modelReviewRoutes(deps), ...moderationRoutes(deps) };
}

/** Handlers of the reviews of a model. */
function modelReviewRoutes(deps: Deps): Handlers {
  const { reviewsRepository, reviews } = deps;

  return {
    "models.reviews.list": async ({ actor, path, query }) => {
      const model = await findPublicModelId(deps, actor, path.id);
      const page = parsePage(query);
      const viewer = actor.kind === "user" ? actor.userId : null;
      const [{ rows, total }, summary, own] = await Promise.all([
        reviewsRepository.list(model, viewer, { sort: parseSort(query.sort), tags: parseTags(query.tags) }, page),
        reviewsRepository.summarize(model),
        viewer === null ? undefined : reviewsRepository.findOwn(model, viewer),
      ]);
      return {
        items: rows.map((row) => toReviewDto(row, viewer)),
        mine: own === undefined ? null : toReviewDto(own, viewer),
        pagination: toPagination(page, total),
        summary,
      };
    },

    "models.reviews.create": async ({ actor, path, body, reply }) => {
      const caller = actor;
      const model = await findPublicModelId(deps, actor, path.id);
      if (body.modelId !== undefined && body.modelId.toLowerCase() !== model.toLowerCase())
        throw errors.invalidRequest("modelId is not valid: it names another model than the address.", {
          param: "modelId",
        });
      const { row, isNew } = await reviews.write(caller, model, { ...body, tags: body.tags ?? [] });
      reply.code(isNew ? 201 : 200);
      return toReviewDto(row, caller.userId);
    },

    "models.reviews.delete": async ({ actor, path }) => {
      await reviews.delete(actor, await findPublicModelId(deps, actor, path.id), path.reviewId);
      return undefined;
    },

    "models.reviews.helpful": async ({ actor, path, body }) =>
      reviews.vote(actor, await findPublicModelId(deps, actor, path.id), path.reviewId, body?.helpful),

    "models.reviews.report": async ({ actor, path, body }) => {
      await reviews.report(actor, await findPublicModelId(deps, actor, path.id), path.reviewId, body.reason);
      return undefined;
    },

    "models.reviews.tags": async () => ({ items: await reviewsRepository.tags() }),
  };
}

/** Handlers of the moderation of reviews. */
function moderationRoutes({ reviewsRepository, reviews }: Deps): Handlers {
  return {
    "admin.reviewTags.update": async ({ actor, body }) => {
      await reviews.setTags(actor, body.items);
      return { items: await reviewsRepository.tags() };
    },

    "admin.reviews.list": async ({ actor, query }) => {
      const page = parsePage(query);
      const { userId } = actor;
      const { rows, total } = await reviewsRepository.moderated(
        query.status ?? "reported",
        userId,
        page.limit,
        page.offset,
      );
      return {
        items: rows.map(({ reports, ...row }) => ({
          review: toReviewDto(row, userId),
          model_id: row.model_id,
          report_count: reports.length,
          hidden: row.hidden_at !== null,
          reports: reports.map(({ reason, created_at }) => ({
            reason,
            created_at: new Date(created_at).toISOString(),
          })),
        })),
        pagination: toPagination(page, total),
      };
    },

    "admin.reviews.update": async ({ actor, path, body }) => {
      await reviews.moderate(actor, path.id, body.hidden);
      return undefined;
    },
  };
}

/** Returns the id of a public model. Throws `model_not_found` for others, since private models have no reviews. */
async function findPublicModelId(
  { catalogue, catalogueRepository }: Deps,
  actor: Parameters<Catalogue["resolveViewer"]>[0],
  id: string,
): Promise<string> {
  const row = await catalogueRepository.find(id, await catalogue.resolveViewer(actor));
  if (!row || row.organization_id !== null) throw modelNotFound(id);
  return row.id;
}

function parseSort(sort = "-created_at"): ReviewSort {
  return {
    column: sort.replace("-", "") as ReviewSort["column"],
    direction: sort.startsWith("-") ? "desc" : "asc",
  };
}

const parseTags = (tags = ""): string[] =>
  tags
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

function toReviewDto(row: ReviewRow, viewer: string | null): Review {
  return {
    id: row.id,
    user: { name: row.user_name },
    rating: row.rating,
    review: row.review,
    tags: row.tags,
    helpful_count: row.helpful_count,
    helpful: row.helpful,
    verified_caller: row.verified_caller,
    mine: row.user_id === viewer,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
