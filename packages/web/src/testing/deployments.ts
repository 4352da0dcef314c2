import { userInRole } from "./page.tsx";

/** Returns a deployment as the server returns it. */
export const deployment = (overrides: object = {}) => ({
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
});

/** Returns an instance type of a provider. */
export const instanceType = (overrides: object = {}) => ({
  id: "cpu",
  gpu: null,
  gpu_count: 0,
  vram_gb: 0,
  hourly_nano_usd: "0",
  ...overrides,
});

/** Returns a provider with one region and one instance type. */
export const provider = (overrides: object = {}) => ({
  id: "local",
  name: "This machine",
  regions: [{ id: "here", name: "Here" }],
  instance_types: [instanceType()],
  available: true,
  reason: null,
  ...overrides,
});

/** Returns a list response with pagination. */
export const pageOf = (items: readonly object[]) => ({
  items,
  pagination: { current_page: 1, per_page: 100, total_items: items.length, total_pages: 1 },
});

/** Returns the signed-in user with a role, on a plan with a private cloud and five private models unless overridden. */
export const userOnPlan = (role: string, plan: object = {}) => ({
  ...userInRole(role),
  organization: {
    ...userInRole(role).organization,
    current_subscription: { plan: { name: "Max", private_cloud: true, private_models: 5, ...plan } },
  },
});
