/** A fact sheet of the catalogue's data, as it stands in `seed/models.json`. */
export type SeedModel = {
  id: string;
  family: string;
  sub_type: string;
  parameters: number | null;
  active_parameters: number | null;
  context_length: number | null;
  license: string | null;
  gated: boolean | null;
  release_date: string | null;
  base_model: string | null;
  languages: string[] | null;
  tags: string[];
  architecture: string | null;
  summary: string;
};

const BILLION = 1e9;

/** Classes that cost other than their size says: runtimes that serve them better or worse than the rule. */
const COSTS: Record<string, number> = { "qwen-3-33b": 4, "glm-4-33b": 4, "glm-z1-33b": 4, "qrwkv-32b": 1 };

/** Units a request holds: 1 up to 15B parameters, 2 up to 34B, 4 above. Unknown sizes count as large. */
export function costOfSize(parameters: number | null): number {
  if (parameters === null) return 4;
  if (parameters <= 15.5 * BILLION) return 1;
  return parameters <= 34.5 * BILLION ? 2 : 4;
}

/** Models of one sub-type and size run alike: that is a class. */
export function classOf(model: SeedModel): { id: string; name: string; concurrency_cost: number } {
  const size = model.parameters ?? sizeInName(model.id);
  const label = size === null ? "unknown" : sizeLabel(size);
  const id = `${model.sub_type}-${label}`;
  return { id, name: id, concurrency_cost: COSTS[id] ?? costOfSize(size) };
}

function sizeInName(id: string): number | null {
  const match = /(\d+(?:\.\d+)?)B\b/i.exec(id);
  return match ? Number(match[1]) * BILLION : null;
}

/** `494m`, `1b5`, `32b`, `1t`. */
function sizeLabel(parameters: number): string {
  if (parameters < 0.95 * BILLION) return `${Math.round(parameters / 1e6)}m`;
  if (parameters >= 999 * BILLION)
    return `${(parameters / 1e12).toFixed(1).replace(/\.0$/, "").replace(".", "t")}t`.replace(/t(\d)t$/, "t$1");
  const billions = parameters / BILLION;
  if (billions >= 10) return `${Math.round(billions)}b`;
  const rounded = billions.toFixed(1).replace(/\.0$/, "");
  return rounded.includes(".") ? rounded.replace(".", "b") : `${rounded}b`;
}
