import type { components } from "@feather/openapi/schema";
import type { Backend, BackendRegistry } from "../../gateway/index.ts";
import { engineBackendName } from "../../hosting/hosts/index.ts";
import { formatNanoUsd } from "../../platform/core/money.ts";
import { identifyPlace, THIS_SERVER } from "../providers/index.ts";
import type { ProbeRow } from "./probes.repository.ts";
import { ABILITIES } from "./verdict.ts";

type ProbeDto = components["schemas"]["ModelProbe"];
type Deps = { registry: Pick<BackendRegistry, "list"> };

/**
 * Maps results to the contract's schema, by place and then in the order in which they are asked for. Results of a backend that
 * is not there now are left out, except those of this server's own engine, which comes back. Only admins see names of
 * backends and costs.
 */
export function toProbeDtos({ registry }: Deps, rows: readonly ProbeRow[], isAdmin: boolean): ProbeDto[] {
  const backends = new Map(registry.list().map((backend) => [backend.name, backend]));
  return rows
    .flatMap((row) => {
      const identity = findIdentity(row, backends.get(row.backend));
      return identity === null ? [] : [toProbeDto(row, identity, isAdmin)];
    })
    .sort((a, b) => ABILITIES.indexOf(a.ability) - ABILITIES.indexOf(b.ability));
}

type Identity = Pick<ProbeDto, "kind" | "name" | "provider" | "hosted">;

function findIdentity({ model_id, backend: name }: ProbeRow, backend: Backend | undefined): Identity | null {
  if (backend !== undefined) {
    const { kind, name: shown, provider } = identifyPlace(backend);
    return { kind, name: shown, provider, hosted: backend.hosted };
  }
  if (name !== engineBackendName(model_id)) return null;
  return { kind: THIS_SERVER.kind, name: THIS_SERVER.name, provider: null, hosted: "here" };
}

function toProbeDto(row: ProbeRow, identity: Identity, isAdmin: boolean): ProbeDto {
  return {
    ability: row.ability as ProbeDto["ability"],
    result: row.result as ProbeDto["result"],
    reason: row.reason,
    ...identity,
    prompt_tokens: row.prompt_tokens,
    first_token_ms: row.first_token_ms,
    tokens_per_second: row.tokens_per_second,
    duration_ms: row.duration_ms,
    checked_at: row.checked_at.toISOString(),
    ...(isAdmin && { backend: row.backend, cost: formatNanoUsd(BigInt(row.cost_nano_usd)) }),
  };
}
