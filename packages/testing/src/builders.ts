import { LOWEST_ROLES, ROLES } from "@feather/openapi/permissions";
import type { components } from "@feather/openapi/schema";

type Schemas = components["schemas"];

/** The time at which objects of the builders were created. */
const CREATED_AT = "2026-11-01T12:00:00Z";

/** Returns one page of items; with a larger `total`, there is a second page. */
export function buildPage<T>(items: readonly T[], total = items.length) {
  const pagination: Schemas["Pagination"] = {
    current_page: 1,
    per_page: items.length,
    total_items: total,
    total_pages: total > items.length ? 2 : 1,
  };
  return { items: [...items], pagination };
}

/** Returns a model of the catalogue that can be called. */
export function buildModel(overrides: Partial<Schemas["Model"]> = {}): Schemas["Model"] {
  const id = overrides.id ?? "Qwen/Qwen3-32B";
  const [owner = "", name = ""] = id.split("/");
  return {
    id,
    name,
    owned_by: owner,
    model_class: "qwen3-32b",
    family: "qwen",
    sub_type: null,
    parameter_size: 32_762_123_264,
    active_parameters: null,
    context_length: 40_960,
    max_completion_tokens: 8192,
    concurrency_cost: 2,
    description: "Largest dense Qwen3.",
    license: "apache-2.0",
    tags: [],
    classified_tags: { modalities: [], capabilities: [], training: [], domains: [], creative: [] },
    languages: [],
    input_modalities: ["text"],
    output_modalities: ["text"],
    features: { tool_use: true, image_input: false, json_mode: false, reasoning: true },
    pricing: null,
    architecture: null,
    base_model: null,
    favorites: 0,
    downloads: null,
    likes: null,
    avg_rating: 4.6,
    total_reviews: 8,
    is_gated: false,
    is_private: false,
    status: "active",
    health: "HEALTHY",
    availability: buildAvailability(),
    hosted: ["here"],
    hf_created_at: null,
    released_date: "2025-04-29",
    created_at: CREATED_AT,
    updated_at: CREATED_AT,
    ...overrides,
  };
}

/** Returns the availability of a model that is loaded. */
export function buildAvailability(overrides: Partial<Schemas["Availability"]> = {}): Schemas["Availability"] {
  return {
    tier: "warm",
    is_hot_live: true,
    is_hot_recent: true,
    loading_stage: null,
    loading_reason: null,
    loading_progress: null,
    estimated_ready_at: null,
    checked_at: "2026-11-21T12:00:00Z",
    ...overrides,
  };
}

/** Returns an API key for calls to models. */
export function buildApiKey(overrides: Partial<Schemas["ApiKey"]> = {}): Schemas["ApiKey"] {
  return {
    id: "key_1",
    name: "production",
    prefix: "rc_wrFf",
    last4: "xIRT",
    scopes: ["api.access"],
    allowed_models: [],
    ip_allowlist: [],
    max_concurrency: null,
    priority: "interactive",
    spend_limit_nano_usd: null,
    limit_reset: "none",
    spent_nano_usd: "0",
    expires_at: null,
    disabled: false,
    created_by: "usr_1",
    created_by_name: "Maria Winter",
    created_by_application: null,
    last_used_at: "2026-11-21T10:00:00.000Z",
    previous_secret_expires_at: null,
    created_at: "2026-11-01T12:00:00.000Z",
    ...overrides,
  };
}

/** A role in an organization. */
export type Role = Schemas["User"]["organization"]["role"];

/** Returns the permissions that a role of an organization has. */
export function permissionsOf(role: Role): Schemas["Permission"][] {
  const names = Object.keys(LOWEST_ROLES) as Schemas["Permission"][];
  return names.filter((name) => ROLES.indexOf(role) >= ROLES.indexOf(LOWEST_ROLES[name]));
}

/** What differs between signed-in users: fields of the user, their role, and their organization's name and plan. */
type UserOptions = Partial<Omit<Schemas["User"], "organization" | "permissions">> & {
  role?: Role;
  organizationName?: string;
  plan?: Partial<Schemas["Plan"]>;
};

/** Returns the signed-in user, an admin of their organization on the plan of `buildPlan` unless given otherwise. */
export function buildUser({
  role = "admin",
  organizationName = "Winter & Sons",
  plan = {},
  ...overrides
}: UserOptions = {}): Schemas["User"] {
  return {
    id: "usr_1",
    email: "maria@example.com",
    username: "maria",
    name: "Maria Winter",
    is_admin: false,
    email_verified: true,
    pending_email: null,
    language: null,
    has_password: true,
    totp_enabled: false,
    providers: [],
    organization: {
      id: "org_1",
      name: organizationName,
      role,
      current_subscription: buildSubscription({ plan: buildPlan(plan) }),
    },
    permissions: permissionsOf(role),
    referral_reward: { method: "credits" },
    impersonated_by: null,
    created_at: "2026-10-02T08:00:00Z",
    ...overrides,
  };
}

/** Returns a subscription that renews itself every month. */
export function buildSubscription(overrides: Partial<Schemas["Subscription"]> = {}): Schemas["Subscription"] {
  return {
    id: "sub_1",
    status: "active",
    plan: buildPlan(),
    quantity: 1,
    currency: "USD",
    current_period_start_date: "2026-11-01",
    current_period_end_date: "2026-12-01",
    cancel_at_period_end: false,
    coupon: null,
    pending_change: null,
    trial_end_date: null,
    ...overrides,
  };
}

/** Returns a public plan of four units for 25 USD a month. */
export function buildPlan(overrides: Partial<Schemas["Plan"]> = {}): Schemas["Plan"] {
  return {
    id: "feather_pro_plus",
    name: "Premium",
    description: "Models of every size that this server runs.",
    audience: "individual",
    billing_mode: "subscription",
    price_usd_cents: 2500,
    prices: [],
    interval: "month",
    unit_based: false,
    min_quantity: 1,
    max_quantity: 1,
    concurrency: 4,
    max_model_size: null,
    max_context_length: 32_768,
    model_switches_per_minute: 4,
    priority: "interactive",
    daily_request_limit: null,
    private_models: 0,
    private_cloud: false,
    api_keys_max: 100,
    trial_days: 0,
    features: ["4 units", "Models of any size"],
    is_public: true,
    ...overrides,
  };
}

/** Returns a running deployment of one replica. */
export function buildDeployment(overrides: Partial<Schemas["Deployment"]> = {}): Schemas["Deployment"] {
  return {
    id: "dep_1",
    organization_id: "org_1",
    name: "support-bot",
    provider_id: "local",
    region: "here",
    instance_type: "cpu",
    model_id: "acme/support-8b",
    revision: "main",
    min_replicas: 0,
    max_replicas: 2,
    scale_to_zero_after_s: 3600,
    autoscale: { metric: "pending_requests", target: 4 },
    engine_args: {},
    visibility: "private",
    state: "running",
    state_reason: null,
    settings_version: 1,
    observed_settings_version: 1,
    ready_replicas: 1,
    desired_replicas: 1,
    url: "https://feather.example/api/deployments/dep_1/v1",
    created_by: "usr_1",
    created_at: "2026-11-19T14:01:02Z",
    updated_at: "2026-11-19T14:01:02Z",
    ...overrides,
  };
}
