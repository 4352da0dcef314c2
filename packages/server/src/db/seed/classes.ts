import { PUBLISHED_CLASSES, type PublishedClass } from "./published-classes.ts";

/** A model in `seed/models.json`. */
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
const SAME_SIZE = 0.01;

/** Concurrency units of a request: 1 up to 15B parameters, 2 up to 34B, 4 above. Unknown sizes count as large. */
function costOfSize(parameters: number | null): number {
  if (parameters === null) return 4;
  if (parameters <= 15.5 * BILLION) return 1;
  return parameters <= 34.5 * BILLION ? 2 : 4;
}

/** The class of a model: a published one if it matches, otherwise one derived from sub-type and size. */
export function classOf(model: SeedModel): { id: string; concurrency_cost: number; published: PublishedClass | null } {
  const published = PUBLISHED_CLASSES.find((known) => fits(known, model));
  if (published) return { id: published.id, concurrency_cost: published.cost, published };
  const size = model.parameters ?? sizeInName(model.id);
  const id = `${model.sub_type}-${size === null ? "unknown" : sizeLabel(size)}`;
  return { id, concurrency_cost: costOfSize(size), published: null };
}

function fits({ architecture, parameters, context, says }: PublishedClass, model: SeedModel): boolean {
  if (says && !says.test(`${model.id} ${model.base_model ?? ""}`)) return false;
  if (architecture === null) return says !== undefined;
  if (architecture !== model.architecture || parameters === null || model.parameters === null) return false;
  const sameSize = Math.abs(parameters - model.parameters) <= parameters * SAME_SIZE;
  return sameSize && (model.context_length === null || model.context_length >= context);
}

function sizeInName(id: string): number | null {
  const match = /(\d+(?:\.\d+)?)B\b/i.exec(id);
  return match ? Number(match[1]) * BILLION : null;
}

/** Formats a number of parameters: `494m`, `1b5`, `32b`, `1t`. */
function sizeLabel(parameters: number): string {
  if (parameters < 0.95 * BILLION) return `${Math.round(parameters / 1e6)}m`;
  if (parameters >= 999 * BILLION)
    return `${(parameters / 1e12).toFixed(1).replace(/\.0$/, "").replace(".", "t")}t`.replace(/t(\d)t$/, "t$1");
  const billions = parameters / BILLION;
  if (billions >= 10) return `${Math.round(billions)}b`;
  const rounded = billions.toFixed(1).replace(/\.0$/, "");
  return rounded.includes(".") ? rounded.replace(".", "b") : `${rounded}b`;
}
