import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Database } from "../../db/connect.ts";
import { AppError } from "../../shared/errors.ts";

/** What the gateway needs to know of a model. */
export type CallableModel = {
  id: string;
  classId: string;
  cost: number;
  parameterSize: number | null;
  contextLength: number;
  /** The longest answer, where it is shorter than the context. */
  maxCompletionTokens: number | null;
  inputModalities: readonly string[];
  isGated: boolean;
  organizationId: string | null;
};

const TRUST = 10_000;
const SUGGESTIONS = 3;

/** Looks models up for calls, by id in any letter case, and remembers them for a few seconds. */
export function createCallableModels(db: Database) {
  const known = new LRUCache<string, CallableModel | "unknown">({ max: 50_000, ttl: TRUST });

  async function load(idLower: string): Promise<CallableModel | "unknown"> {
    const row = await db
      .selectFrom("models")
      .innerJoin("model_classes", "model_classes.id", "models.model_class_id")
      .select([
        "models.id",
        "model_class_id",
        "concurrency_cost",
        "models.parameter_size",
        "models.context_length",
        "model_classes.context_length as class_context_length",
        "models.max_completion_tokens",
        "model_classes.max_completion_tokens as class_max_completion_tokens",
        "models.input_modalities",
        "is_gated",
        "organization_id",
      ])
      .where("id_lower", "=", idLower)
      .executeTakeFirst();
    if (!row) return "unknown";
    return {
      id: row.id,
      classId: row.model_class_id,
      cost: row.concurrency_cost,
      parameterSize: row.parameter_size,
      contextLength: row.context_length ?? row.class_context_length,
      maxCompletionTokens: row.max_completion_tokens ?? row.class_max_completion_tokens,
      inputModalities: row.input_modalities,
      isGated: row.is_gated ?? false,
      organizationId: row.organization_id,
    };
  }

  return {
    /** The model, if the organization may know of it. Throws `model_not_found` with close spellings. */
    async find(id: string, organizationId: string): Promise<CallableModel> {
      const idLower = id.toLowerCase();
      const cached = known.get(idLower);
      const model = cached ?? (await load(idLower));
      if (cached === undefined) known.set(idLower, model);
      if (model !== "unknown" && (model.organizationId === null || model.organizationId === organizationId))
        return model;
      throw await modelNotFound(db, id);
    },
    forget: () => known.clear(),
  };
}

export type CallableModels = ReturnType<typeof createCallableModels>;

export async function modelNotFound(db: Database, id: string): Promise<AppError> {
  const close = await db
    .selectFrom("models")
    .select("id")
    .where("organization_id", "is", null)
    .where(sql<boolean>`id_lower % ${id.toLowerCase().slice(0, 200)}`)
    .orderBy(sql`similarity(id_lower, ${id.toLowerCase().slice(0, 200)})`, "desc")
    .limit(SUGGESTIONS)
    .execute();
  const suggestions = close.map((row) => row.id);
  const hint = suggestions.length > 0 ? ` Did you mean ${suggestions.join(", ")}?` : "";
  return new AppError(404, "model_not_found", `There is no model called ${id}.${hint}`, {
    param: "model",
    details: { suggestions },
  });
}
