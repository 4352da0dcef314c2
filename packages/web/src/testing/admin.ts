import type {
  AdminCoupon,
  AdminDeployment,
  AdminModel,
  AdminReview,
  AdminUser,
  Application,
  AuditEntry,
  Backend,
  BackendKey,
  Incident,
  MarketplaceBalance,
  MarketplaceMeter,
  MarketplacePayout,
  MarketplacePurchase,
  MarketplaceUsage,
  ModelHost,
  Operations,
  OutboxMessage,
  RouteRule,
  RoutingAlias,
  StoredModel,
  StorePull,
  UsageReportRow,
} from "@feather/sdk";
import { http, type Sent } from "@feather/sdk/msw";
import { buildDeployment, buildModel } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { maria } from "./page.tsx";

/** The state of a server with some load. */
export const operations: Sent<Operations> = {
  taken_at: "2026-11-19T14:01:02Z",
  started_at: "2026-11-18T08:00:00Z",
  version: "0.1.0",
  replicas: [],
  units_limit: 64,
  event_streams: 3,
  points: [
    {
      at: 1_795_096_862_000,
      requests_per_second: 73.2,
      refused_per_second: 0.2,
      failed_per_second: 0,
      calls_per_second: 3.1,
      tokens_per_second: 620,
      first_token_p50_ms: 180,
      first_token_p95_ms: 900,
      units: 9,
      running_calls: 11,
      waiting_calls: 2,
      usage_rows_waiting: 2,
      loop_delay_ms: 2.1,
      loop_utilization: 0.12,
      memory_bytes: 262_144_000,
      database_in_use: 1,
      database_waiting: 0,
      query_p95_ms: 4.5,
    },
  ],
  errors: [{ name: "rate_limit_exceeded", count: 3 }],
  backends: [
    { name: "gpu-1", is_up: true, running_calls: 4 },
    { name: "gpu-2", is_up: false, running_calls: 0 },
  ],
  runtimes: [
    {
      name: "llama.cpp",
      models: [{ name: "warm", count: 2 }],
      memory_bytes: 19_327_352_832,
      reserved_bytes: 6_442_450_944,
    },
  ],
  pulls: [{ name: "downloading", count: 1 }],
  database: {
    connections_in_use: 1,
    connections_idle: 4,
    queries_waiting: 0,
    queries: 120_000,
    failed_queries: 2,
    slow_queries: 1,
  },
  jobs: [
    {
      name: "unload idle models",
      interval_seconds: 5,
      is_running: false,
      runs: 42,
      failures: 0,
      last_duration_ms: 3,
      lag_seconds: 0,
    },
    {
      name: "send messages",
      interval_seconds: 5,
      is_running: false,
      runs: 40,
      failures: 12,
      last_duration_ms: 20_100,
      lag_seconds: 600,
    },
  ],
};

/** A name that would run a script if it were rendered as HTML. */
export const HOSTILE_NAME = '<img src=x onerror="alert(1)">';

/** A platform admin, as `GET /auth/me` returns it. */
export const platformAdmin = { ...maria, id: "usr_boss", name: "Bea Boss", username: "bea", is_admin: true };

/** A row of `GET /admin/users`. */
export const adminUser: Sent<AdminUser> = {
  id: "usr_1",
  email: "maria@example.com",
  username: "maria",
  name: "Maria Winter",
  is_admin: false,
  email_verified: true,
  suspended_at: null,
  suspension_reason: null,
  approval_requested_at: null,
  has_second_factor: false,
  organization_id: "org_1",
  organization_name: "Winter & Sons",
  plan_id: "feather_lite",
  last_seen_at: "2026-11-19T14:01:02Z",
  requests_30d: 41,
  created_at: "2026-11-01T14:01:02Z",
};

/** A model as the admin API returns it. */
export const adminModel: Sent<AdminModel> = {
  ...buildModel({
    sub_type: "qwen3",
    concurrency_cost: 4,
    tags: ["chat", "reasoning"],
    languages: ["en"],
    pricing: {
      prompt: "0.0000001",
      completion: "0.0000004",
      image: "0",
      audio_second: "0",
      character: "0",
      request: "0",
      input: 0.1,
      output: 0.4,
    },
    architecture: "Qwen3ForCausalLM",
    favorites: 12,
    avg_rating: 4.5,
    updated_at: "2026-10-01T00:00:00Z",
  }),
  disabled: false,
  plan_ids: null,
  source: "catalogue",
  hub_revision: null,
  request_count: 2,
  readme: "# Qwen3-32B",
};

/** A key of a backend that is used. */
export const backendKey: Sent<BackendKey> = {
  id: "bky_1",
  label: "key 1",
  weight: 1,
  last_characters: "wxyz",
  in_flight: 2,
  state: "ready",
  resumes_at: null,
  error: null,
  advice: null,
};

/** A healthy backend. */
export const backend: Sent<Backend> = {
  id: "bck_1",
  name: "gpu-1",
  api: "openai",
  provider: null,
  base_url: "https://models.example.com/v1",
  models: ["Qwen/Qwen3-32B"],
  configured_models: ["Qwen/Qwen3-32B"],
  aliases: [],
  unsized_models: [],
  weight: 1,
  enabled: true,
  source: "admin",
  own_keys: "off",
  has_api_key: true,
  keys: [backendKey],
  state: "healthy",
  resumes_at: null,
  in_flight: 2,
  last_error: null,
  checked_at: "2026-11-19T14:01:02Z",
};

/** A pending purchase at a marketplace as the admin API returns it. */
export const marketplacePurchase: Sent<MarketplacePurchase> = {
  id: "mkt_1",
  organization_id: "org_1",
  organization_name: "Acme",
  provider: "azure",
  reference: "subscription-1",
  customer_id: "tenant-1",
  offer: "feather_max",
  plan_id: null,
  quantity: 1,
  status: "pending",
  note: "The marketplace has not confirmed the purchase yet.",
  is_test: false,
  ends_at: null,
  checked_at: "2026-11-19T15:01:02Z",
  created_at: "2026-11-19T14:01:02Z",
};

/** A meter of an offer at a marketplace as the admin API returns it. */
export const marketplaceMeter: Sent<MarketplaceMeter> = {
  provider: "aws",
  offer: "feather_request_pricing",
  dimension: "extra_usage",
  unit_price_usd: "0.01",
  max_monthly_usd_cents: 50_000,
  updated_at: "2026-11-19T14:01:02Z",
};

/** Metered usage that a marketplace refused, as the admin API returns it. */
export const marketplaceUsage: Sent<MarketplaceUsage> = {
  id: "mus_1",
  organization_id: "org_1",
  organization_name: "Acme",
  provider: "aws",
  reference: "prodcode/123456789012/l-1",
  offer: "feather_request_pricing",
  dimension: "extra_usage",
  hour_starts_at: "2026-11-19T14:00:00Z",
  units: 250,
  unit_price_usd: "0.01",
  amount_usd: "2.50",
  status: "refused",
  reason: "The customer has no subscription any more.",
  attempts: 1,
  is_test: false,
  settled_at: "2026-11-19T15:06:02Z",
};

/** What AWS Marketplace owes after the payout below, as the admin API returns it. */
export const marketplaceBalance: Sent<MarketplaceBalance> = {
  provider: "aws",
  accepted_usd: "250.00",
  paid_usd: "97.00",
  fee_usd: "3.00",
  open_usd: "150.00",
  waiting_usd: "2.50",
};

/** A payout of a marketplace as the admin API returns it. */
export const marketplacePayout: Sent<MarketplacePayout> = {
  id: "mpo_1",
  provider: "aws",
  reference: "DISB-42",
  paid_on: "2026-11-28",
  amount_usd_cents: 9700,
  fee_usd_cents: 300,
  is_test: false,
  created_at: "2026-11-30T09:01:02Z",
  reversed_at: null,
  reversal_reason: null,
};

/** A coupon as the admin API returns it. */
export const adminCoupon: Sent<AdminCoupon> = {
  code: "SPRING26",
  percent_off: 20,
  amount_off_cents: null,
  duration: "once",
  months: null,
  applies_to: [],
  redeem_by_date: null,
  max_redemptions: 100,
  valid: true,
  reason: null,
  redemptions: 7,
  is_retention: false,
};

/** An open incident. */
export const incident: Sent<Incident> = {
  id: "inc_1",
  title: "Slow answers",
  body: "Two backends were restarted.",
  state: "investigating",
  started_at: "2026-11-19T14:01:02Z",
  updated_at: "2026-11-19T14:11:02Z",
  resolved_at: null,
};

/** A redirect rule. */
export const routeRule: Sent<RouteRule> = {
  id: "rule_1",
  position: 1,
  path_glob: "/old/**",
  redirect_to: "/models",
  status: 302,
  external: false,
  when: { auth: true, plan: null, email_verified: null },
};

/** An alias of two models. */
export const routingAlias: Sent<RoutingAlias> = {
  name: "fast",
  models: ["Qwen/Qwen3-8B", "feather/demo"],
  unknown_models: [],
  is_hidden: false,
  updated_at: "2026-11-19T14:01:02Z",
};

/** An OAuth application that waits for review. */
export const application: Sent<Application> = {
  id: "app_1",
  name: "Roost",
  description: "A chat program.",
  homepage_url: "https://roost.example",
  logo_url: null,
  redirect_uris: ["https://roost.example/callback"],
  scopes: ["user.read"],
  client_type: "confidential",
  device_flow: false,
  status: "pending",
  verified: false,
  owner: { id: "org_1", name: "Maria Winter" },
  created_at: "2026-11-19T14:01:02Z",
};

/** A mail that waits in the outbox. */
export const outboxMessage: Sent<OutboxMessage> = {
  id: "mail_1",
  kind: "email_verification",
  to: "maria@example.com",
  subject: "Verify your e-mail",
  text: "Open https://feather.example/verify?token=abc",
  state: "waiting",
  attempts: 0,
  last_error: null,
  created_at: "2026-11-19T14:01:02Z",
  sent_at: null,
};

/** An entry of the audit log. */
export const auditEntry: Sent<AuditEntry> = {
  id: 41,
  action: "api_keys.create",
  actor_id: "usr_1",
  subject_id: null,
  organization_id: "org_1",
  credential: "session:ses_1",
  target: "key_1",
  ip: "127.0.0.1",
  details: { name: "production" },
  hash: "9f2c",
  created_at: "2026-11-19T14:01:02Z",
  actor: { id: "usr_1", name: "Maria Winter", email: "maria@example.com" },
  subject: null,
  organization: { id: "org_1", name: "Winter Press" },
  target_name: "production",
};

/** Returns a deployment as the admin API returns it. */
export const deployment = (id: string, name: string): Sent<AdminDeployment> => ({
  ...buildDeployment({ id, name, model_id: "Qwen/Qwen3-32B", engine_args: { context: 4096 } }),
  organization: { id: "org_1", name: "Winter Press" },
  creator: { id: "usr_1", name: "Maria Winter", email: "maria@example.com" },
});

/** Returns a row of a usage report. */
export const usageRow = (group: UsageReportRow["group"], requests = 41): Sent<UsageReportRow> => ({
  group,
  request_count: requests,
  error_count: 1,
  input_tokens: 1000,
  output_tokens: 4000,
  cost_nano_usd: "2500000000",
  provider_cost_nano_usd: "0",
  margin_nano_usd: "0",
  unknown_cost_count: 0,
});

/** A reported review. */
export const reviewItem: Sent<AdminReview> = {
  review: {
    id: "rev_1",
    user: { name: "Maria" },
    rating: 5,
    review: "Careful with long tables.",
    tags: [],
    helpful_count: 0,
    helpful: false,
    verified_caller: true,
    mine: false,
    created_at: "2026-11-19T14:01:02Z",
    updated_at: "2026-11-19T14:01:02Z",
  },
  model_id: "Qwen/Qwen3-32B",
  report_count: 1,
  hidden: false,
  reports: [{ reason: "Advertising", created_at: "2026-11-19T15:00:00Z" }],
};

/** A downloaded model that all share. */
export const storedModel: Sent<StoredModel> = {
  model_id: "acme/support-8b",
  organization_id: null,
  repository: "acme/support-8b",
  file: "support-8b-q4_k_m.gguf",
  quantization: "Q4_K_M",
  bytes: 4_900_000_000,
  parameter_size: 8_030_261_312,
  is_loaded: true,
  is_pinned: false,
  created_at: "2026-11-19T14:01:02Z",
  last_used_at: null,
};
/** A download that is on its way. */
export const pull: Sent<StorePull> = {
  id: "pull_1",
  model_id: "acme/support-8b",
  repository: "acme/support-8b",
  file: "support-8b-q4_k_m.gguf",
  state: "downloading",
  bytes_done: 1000,
  bytes_total: 5000,
  conversion_progress: null,
  organization_id: null,
  error: null,
  created_at: "2026-11-19T14:01:02Z",
};

/** What runs models on a machine with a graphics card that only vLLM uses. */
export const modelHost: Sent<ModelHost> = {
  memory_bytes: 19e9,
  free_bytes: 12e9,
  runtimes: [
    { name: "llama.cpp", is_available: true, gpu: null, graphics_cards: [], reason: "vLLM uses the graphics card." },
    { name: "vllm", is_available: true, gpu: "cuda", graphics_cards: ["NVIDIA L4"], reason: null },
  ],
  gpu: { memory_bytes: 21e9, free_bytes: 21e9 },
  graphics_cards: [{ name: "NVIDIA L4", memory_bytes: 24e9, free_bytes: 24e9 }],
  models: [],
};

/** The handlers that every admin page needs. */
export const adminHandlers: StubHandlers = [
  http.auth.me(platformAdmin),
  http.admin.modelHost.get(modelHost),
  http.admin.routing.get({ order: "balanced", own_key_fee_percent: 0, refuse_below_cost: false }),
];
