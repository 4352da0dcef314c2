import type { components } from "@feather/openapi/schema";
import type { LiveAvailability } from "../model-host/live-availability.ts";
import type { CurrentPlan } from "../plans/plans.repository.ts";
import type { ModelRow } from "./catalogue.repository.ts";

type Model = components["schemas"]["Model"];
type OpenAIModel = components["schemas"]["OpenAIModel"];
type Availability = components["schemas"]["Availability"];
type Reason = components["schemas"]["ModelAccess"]["reasons"][number];

export type Presenter = ReturnType<typeof createPresenter>;

/** Writes models the way the contract shows them, with the live state of the backends and what the caller may do. */
export function createPresenter(live: LiveAvailability, now: () => Date) {
  function availability(id: string): Availability {
    const { tier, recent, loading } = live.availability(id);
    return {
      tier,
      is_hot_live: tier === "warm",
      is_hot_recent: recent,
      loading_stage: loading?.stage ?? null,
      loading_progress: loading?.progress ?? null,
      estimated_ready_at: loading?.readyAt?.toISOString() ?? null,
      checked_at: now().toISOString(),
    };
  }

  function access(row: ModelRow, { plan }: CurrentPlan): NonNullable<Model["access"]> {
    const reasons: Reason[] = [];
    if (plan.max_model_size !== null && (row.parameter_size ?? 0) > plan.max_model_size)
      reasons.push("plan_model_size");
    if (live.availability(row.id).tier !== "warm") reasons.push("cold");
    const shorter =
      plan.max_context_length !== null && row.context_length !== null && plan.max_context_length < row.context_length;
    const effective = shorter ? plan.max_context_length : row.context_length;
    return {
      callable: reasons.length === 0,
      reasons: shorter ? [...reasons, "plan_context"] : reasons,
      effective_context_length: effective,
      unlocked: row.is_gated !== true,
    };
  }

  return {
    model(row: ModelRow, plan: CurrentPlan | null): Model {
      const {
        id_lower: _,
        organization_id: __,
        source: ___,
        model_class_id,
        family_id,
        sub_type_id,
        avg_rating,
        ...model
      } = row;
      const allowed = plan === null ? null : access(row, plan);
      const state = availability(row.id);
      return {
        ...model,
        model_class: model_class_id,
        family: family_id,
        sub_type: sub_type_id,
        features: {
          tool_use: row.tags.includes("tool-use"),
          image_input: row.tags.includes("vision"),
          json_mode: false,
          reasoning: row.tags.includes("reasoning"),
        },
        pricing: null,
        avg_rating: avg_rating === null ? null : Number(avg_rating),
        status: state.tier === "warm" ? "active" : (row.status as Model["status"]),
        health: state.tier === "warm" ? "HEALTHY" : "OFFLINE",
        availability: state,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
        ...(allowed && { access: allowed, available_on_current_plan: allowed.callable }),
      };
    },

    openAI(row: ModelRow, plan: CurrentPlan | null): OpenAIModel {
      const model = this.model(row, plan);
      const {
        id,
        owned_by,
        name,
        model_class,
        context_length,
        max_completion_tokens,
        is_gated,
        concurrency_cost,
        pricing,
        status,
        parameter_size,
        active_parameters,
        input_modalities,
        output_modalities,
      } = model;
      return {
        id,
        object: "model",
        created: Math.floor((row.released_date ? new Date(row.released_date) : row.created_at).getTime() / 1000),
        owned_by,
        name,
        model_class,
        context_length,
        max_model_len: context_length,
        max_completion_tokens,
        is_gated,
        features: { tool_use: model.features.tool_use, image_input: model.features.image_input },
        concurrency_cost,
        pricing,
        status,
        availability: model.availability,
        parameter_size,
        is_moe: row.tags.includes("moe"),
        active_parameters,
        vision_supported: model.features.image_input,
        input_modalities,
        output_modalities,
        ...(model.available_on_current_plan !== undefined && {
          available_on_current_plan: model.available_on_current_plan,
        }),
      };
    },
  };
}
