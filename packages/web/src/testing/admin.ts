import { buildPage } from "@feather/testing/builders";
import { maria, type StubRoutes } from "./page.tsx";

/** A name that would run a script if it were rendered as HTML. */
export const HOSTILE_NAME = '<img src=x onerror="alert(1)">';

/** A platform admin, as `GET /auth/me` returns it. */
export const platformAdmin = { ...maria, id: "usr_boss", name: "Bea Boss", username: "bea", is_admin: true };

/** A row of `GET /admin/users`. */
export const adminUser = {
  id: "usr_1",
  email: "maria@example.com",
  username: "maria",
  name: "Maria Winter",
  is_admin: false,
  email_verified: true,
  suspended_at: null as string | null,
  suspension_reason: null as string | null,
  approval_requested_at: null as string | null,
  has_second_factor: false,
  organization_id: "org_1",
  plan_id: "feather_lite",
  last_seen_at: "2026-11-19T14:01:02Z",
  requests_30d: 41,
  created_at: "2026-11-01T14:01:02Z",
};

/** A model as the admin API returns it. */
export const adminModel = {
  id: "Qwen/Qwen3-32B",
  name: "Qwen3-32B",
  owned_by: "Qwen",
  model_class: "qwen3-32b",
  family: "qwen",
  sub_type: "qwen3",
  parameter_size: 32_762_123_264,
  active_parameters: null,
  context_length: 40_960,
  max_completion_tokens: 8192,
  concurrency_cost: 4,
  description: "Largest dense Qwen3.",
  license: "apache-2.0",
  tags: ["chat", "reasoning"],
  languages: ["en"],
  input_modalities: ["text"],
  output_modalities: ["text"],
  pricing: { prompt: "0.0000001", completion: "0.0000004", image: "0", request: "0", input: 0.1, output: 0.4 },
  architecture: "Qwen3ForCausalLM",
  base_model: null,
  favorites: 12,
  avg_rating: 4.5,
  total_reviews: 8,
  is_gated: false,
  status: "active",
  released_date: "2025-04-29",
  updated_at: "2026-10-01T00:00:00Z",
  disabled: false,
  plan_ids: null,
  source: "catalogue",
  hub_revision: null,
  request_count: 2,
  readme: "# Qwen3-32B",
};

/** A healthy backend. */
export const backend = {
  id: "bck_1",
  name: "gpu-1",
  base_url: "https://models.example.com/v1",
  models: ["Qwen/Qwen3-32B"],
  weight: 1,
  enabled: true,
  source: "admin",
  has_api_key: true,
  state: "healthy",
  in_flight: 2,
  last_error: null as string | null,
  checked_at: "2026-11-19T14:01:02Z",
};

/** A coupon as the admin API returns it. */
export const adminCoupon = {
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
export const incident = {
  id: "inc_1",
  title: "Slow answers",
  body: "Two backends were restarted.",
  state: "investigating",
  started_at: "2026-11-19T14:01:02Z",
  updated_at: "2026-11-19T14:11:02Z",
  resolved_at: null,
};

/** A redirect rule. */
export const routeRule = {
  id: "rule_1",
  position: 1,
  path_glob: "/old/**",
  redirect_to: "/models",
  status: 302,
  external: false,
  when: { auth: true, plan: null, email_verified: null },
};

/** An OAuth application that waits for review. */
export const application = {
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
export const outboxMessage = {
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
export const auditEntry = {
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
export const deployment = (id: string, name: string) => ({
  id,
  organization_id: "org_1",
  name,
  provider_id: "local",
  region: "here",
  instance_type: "cpu",
  organization: { id: "org_1", name: "Winter Press" },
  creator: { id: "usr_1", name: "Maria Winter", email: "maria@example.com" },
  model_id: "Qwen/Qwen3-32B",
  revision: "main",
  min_replicas: 0,
  max_replicas: 2,
  scale_to_zero_after_s: 3600,
  autoscale: { metric: "pending_requests", target: 4 },
  engine_args: { context: 4096 },
  visibility: "private",
  state: "running",
  state_reason: null,
  settings_version: 1,
  observed_settings_version: 1,
  ready_replicas: 1,
  desired_replicas: 1,
  created_at: "2026-11-19T14:01:02Z",
  updated_at: "2026-11-19T14:01:02Z",
});

/** Returns a row of a usage report. */
export const usageRow = (group: Record<string, string>, requests = 41) => ({
  group,
  request_count: requests,
  error_count: 1,
  input_tokens: 1000,
  output_tokens: 4000,
  cost_nano_usd: "2500000000",
});

/** A reported review. */
export const reviewItem = {
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

/** A running download of a model file. */
export const pull = {
  id: "pull_1",
  model_id: "acme/support-8b",
  file: "support-8b-q4_k_m.gguf",
  state: "downloading",
  bytes_done: 1000,
  bytes_total: 5000,
  error: null,
  created_at: "2026-11-19T14:01:02Z",
};

/** Returns a route handler that responds with a list of these items. */
export const respondWithList =
  (...items: unknown[]) =>
  () => ({ body: buildPage(items) });

/** The routes that every admin page needs. */
export const adminRoutes: StubRoutes = { "GET /auth/me": () => ({ body: platformAdmin }) };
