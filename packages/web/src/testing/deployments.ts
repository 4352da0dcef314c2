import type { DeploymentProvider, InstanceType, Plan } from "@feather/sdk";
import type { Sent } from "@feather/sdk/msw";
import { buildUser, type Role } from "@feather/testing/builders";

/** Returns an instance type of a provider. */
export const instanceType = (overrides: Partial<InstanceType> = {}): InstanceType => ({
  id: "cpu",
  gpu: null,
  gpu_count: 0,
  nodes: 1,
  vram_gb: 0,
  hourly_nano_usd: "0",
  ...overrides,
});

/** Returns a provider with one region and one instance type. */
export const provider = (overrides: Partial<DeploymentProvider> = {}): DeploymentProvider => ({
  id: "local",
  name: "This machine",
  regions: [{ id: "here", name: "Here" }],
  instance_types: [instanceType()],
  available: true,
  reason: null,
  ...overrides,
});

/** Returns the signed-in user with a role, on a plan with a private cloud and five private models unless overridden. */
export const userOnPlan = (role: Role, plan: Partial<Sent<Plan>> = {}) =>
  buildUser({ role, plan: { name: "Max", private_cloud: true, private_models: 5, ...plan } });
