import { buildUser, type Role } from "@feather/testing/builders";

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

/** Returns the signed-in user with a role, on a plan with a private cloud and five private models unless overridden. */
export const userOnPlan = (role: Role, plan: object = {}) =>
  buildUser({ role, plan: { name: "Max", private_cloud: true, private_models: 5, ...plan } });
