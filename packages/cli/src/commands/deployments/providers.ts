import type { DeploymentProvider } from "@feather/sdk";
import { formatNanoUsd } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";

type InstanceTypeRow = {
  readonly provider_id: string;
  readonly instance_type: string;
  readonly gpu: string | null;
  readonly gpu_count: number;
  readonly vram_gb: number;
  readonly nodes: number;
  readonly hourly_nano_usd: string;
  readonly regions: readonly string[];
  readonly available: boolean;
  readonly reason: string | null;
};

/** Lists the providers for deployments, with a row for each instance type. */
export const deploymentsProviders: Command<undefined> = {
  name: "deployments providers",
  summary: "List where deployments can run, and what it costs",
  prints: "list",
  fields: [
    "provider_id",
    "instance_type",
    "gpu",
    "gpu_count",
    "vram_gb",
    "nodes",
    "hourly_nano_usd",
    "regions",
    "available",
    "reason",
  ],
  needs: "sign-in",
  examples: ["feather deployments providers"],
  options: () => undefined,
  async run({ output, client, signal }) {
    const response = await (await client()).deployments.providers({ signal });
    const empty = "There is no place to run deployments.";
    const id = ({ provider_id, instance_type }: InstanceTypeRow) => `${provider_id}/${instance_type}`;
    output.printList(
      { columns: COLUMNS, id, noun: "types", empty },
      response.items.flatMap(toInstanceTypeRows),
      response,
    );
  },
};

const toInstanceTypeRows = ({
  id,
  regions,
  instance_types,
  available,
  reason,
}: DeploymentProvider): readonly InstanceTypeRow[] =>
  instance_types.map(({ id: instance_type, ...type }) => ({
    provider_id: id,
    instance_type,
    ...type,
    regions: regions.map((region) => region.id),
    available,
    reason,
  }));

function formatGpus({ gpu, gpu_count, nodes }: InstanceTypeRow): string {
  const gpus = gpu === null ? "none" : `${gpu_count} x ${gpu}`;
  return nodes > 1 ? `${gpus} on ${nodes} nodes` : gpus;
}

const COLUMNS: readonly Column<InstanceTypeRow>[] = [
  { header: "PROVIDER", cell: (row) => row.provider_id, paint: (text, style) => style.bold(text) },
  { header: "TYPE", cell: (row) => row.instance_type },
  { header: "GPU", cell: formatGpus, dropOrder: 1 },
  { header: "MEMORY", cell: ({ vram_gb }) => (vram_gb === 0 ? "" : `${vram_gb} GB`), align: "right", dropOrder: 2 },
  {
    header: "AN HOUR",
    cell: (row) => formatNanoUsd(row.hourly_nano_usd),
    plain: (row) => formatNanoUsd(row.hourly_nano_usd).slice(1).replaceAll(",", ""),
    align: "right",
  },
  { header: "REGIONS", cell: ({ regions }) => regions.join(", "), dropOrder: 3 },
  { header: "STATE", cell: ({ available, reason }) => (available ? "available" : (reason ?? "not available")) },
];
