/** Returns a model as the API does. */
export function model(fields: object = {}) {
  return {
    id: "Qwen/Qwen3-32B",
    name: "Qwen3-32B",
    owned_by: "Qwen",
    model_class: "qwen3-32b",
    family: "qwen",
    sub_type: null,
    parameter_size: 32_762_123_264,
    active_parameters: null,
    context_length: 40_960,
    concurrency_cost: 2,
    description: "Largest dense Qwen3.",
    license: "apache-2.0",
    input_modalities: ["text"],
    features: { tool_use: true, image_input: false, json_mode: false, reasoning: true },
    avg_rating: 4.6,
    total_reviews: 8,
    availability: {
      tier: "warm",
      loading_progress: null,
      estimated_ready_at: null,
      checked_at: "2026-11-21T12:00:00Z",
    },
    released_date: "2025-04-29",
    ...fields,
  };
}

/** A loading model, which is ready forty seconds after `NOW`. */
export const loadingModel = model({
  id: "Qwen/Qwen3-Coder-30B-A3B-Instruct",
  parameter_size: 30_532_122_624,
  context_length: 262_144,
  availability: {
    tier: "loading",
    loading_progress: 0.62,
    estimated_ready_at: "2026-11-21T12:00:40Z",
    checked_at: "2026-11-21T12:00:00Z",
  },
});

/** An API key as the API returns it. */
export const apiKey = {
  id: "key_1",
  name: "production",
  prefix: "rc_wrFf",
  last4: "xIRT",
  scopes: ["api.access"],
  expires_at: null,
  created_by_name: "Maria Winter",
  created_by_application: null,
  last_used_at: "2026-11-21T10:00:00.000Z",
  created_at: "2026-11-01T12:00:00.000Z",
};

/** A user as the API returns it. */
export const user = {
  id: "usr_1",
  email: "maria@example.com",
  username: "maria",
  name: "Maria Winter",
  is_admin: false,
  organization: { name: "Maria", role: "admin", current_subscription: { plan: { name: "Max" } } },
  created_at: "2026-10-02T08:00:00Z",
};

/** Returns one page of items; with a larger `total`, there is a second page. */
export const page = (items: readonly unknown[], total = items.length) => ({
  items,
  pagination: {
    current_page: 1,
    per_page: items.length,
    total_items: total,
    total_pages: total > items.length ? 2 : 1,
  },
});
