import { buildDeployment } from "@feather/testing/builders";
import type { Deployment } from "../commands/deployments/deployment.ts";
import type { LiveUsage } from "../commands/usage/live.ts";
import type { Receipt } from "../commands/usage/receipt.ts";

/** The time of the tests. */
export const NOW = new Date("2026-11-21T12:00:10Z");

/** Returns the usage of a plan with four units, in which requests with these costs and ids run since four seconds. */
export function buildUsage(costs: Readonly<Record<string, number>> = {}, limit: number | null = 4): LiveUsage {
  const requests = Object.entries(costs).map(([id, cost]) => ({
    id,
    cost,
    model: "Qwen/Qwen3-32B",
    started_at: new Date("2026-11-21T12:00:06Z"),
    duration_ms: 4_000,
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
    estimated: false,
    units: 1,
    api_key_id: null,
    billing_mode: "subscription",
    cost_status: "not_applicable",
    cost_nano_usd: "0",
    price: null,
    started_at: new Date("2026-11-21T11:58:00Z"),
    queued_ms: 0,
    first_byte_ms: 200,
    duration_ms: 2_200,
    ...overrides,
  };
}

/** Returns a running deployment of one replica. */
export function buildTopDeployment(overrides: Partial<Deployment> = {}): Deployment {
  return { ...buildDeployment(), created_at: NOW, updated_at: NOW, ...overrides };
}
