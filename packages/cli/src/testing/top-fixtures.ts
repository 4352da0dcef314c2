import type { Concurrency, Deployment, Model, ModelHost, Receipt } from "@feather/sdk";
import { buildDeployment, buildModel } from "@feather/testing/builders";

/** The time of the tests. */
export const NOW = new Date("2026-11-21T12:00:10Z");

/** Returns the usage of a plan with four units, in which requests of the person with these costs and ids run since four seconds. */
export function buildUsage(costs: Readonly<Record<string, number>> = {}, limit: number | null = 4): Concurrency {
  const requests = Object.entries(costs).map(([id, cost]) => ({
    id,
    cost,
    model: "Qwen/Qwen3-32B",
    started_at: new Date("2026-11-21T12:00:06Z"),
    duration_ms: 4_000,
    output_tokens: 240,
    tokens_per_second: 61.6,
    is_own: true,
  }));
  return {
    limit,
    used_cost: requests.reduce((sum, { cost }) => sum + cost, 0),
    request_count: requests.length,
    requests,
  };
}

/** Returns the receipt of a streamed answer of 124 tokens in two seconds after the first one. */
export function buildReceipt(overrides: Partial<Receipt> = {}): Receipt {
  return {
    id: "req_done",
    model: "feather/demo",
    alias: null,
    model_class: "demo",
    deployment_id: null,
    kind: "chat",
    outcome: "completed",
    status: 200,
    error_code: null,
    streamed: true,
    prompt_tokens: 10,
    completion_tokens: 124,
    cached_tokens: 0,
    audio_seconds: null,
    estimated: false,
    units: 1,
    api_key_id: null,
    user_id: null,
    billing_mode: "subscription",
    cost_status: "not_applicable",
    cost_nano_usd: "0",
    price: null,
    started_at: new Date("2026-11-21T11:58:00Z"),
    place: "server",
    chosen_by: null,
    own_key: false,
    own_key_fee_percent: null,
    passed_over: [],
    queued_ms: 0,
    first_byte_ms: 200,
    duration_ms: 2_200,
    ...overrides,
  };
}

/** Returns a warm model of the catalogue. */
export function buildTopModel(id: string): Model {
  const model = buildModel({ id });
  const availability = { ...model.availability, checked_at: NOW, estimated_ready_at: null };
  return { ...model, availability, released_date: null, hf_created_at: null, created_at: NOW, updated_at: NOW };
}

/** Returns a model that is in memory, where it takes 6 GB of 18. */
export function buildModelHost(overrides: Partial<ModelHost["models"][number]> = {}): ModelHost {
  return {
    memory_bytes: 18e9,
    free_bytes: 12e9,
    runtimes: [],
    gpu: null,
    graphics_cards: [],
    models: [
      {
        model_id: "Qwen/Qwen3-32B",
        organization_id: null,
        runtime: "llama.cpp",
        state: "warm",
        reason: null,
        memory_bytes: 6e9,
        context_length: 8192,
        request_count: 1,
        last_used_at: NOW,
        ...overrides,
      },
    ],
  };
}

/** Returns a running deployment of one replica. */
export function buildTopDeployment(overrides: Partial<Deployment> = {}): Deployment {
  return { ...buildDeployment(), created_at: NOW, updated_at: NOW, ...overrides };
}
