import { parseSizeInName, unitsOfSize } from "../../models/model-sizes.ts";
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
const SIZE_TOLERANCE = 0.01;

/** Returns the class of a model: a published one if it matches, otherwise one that is derived from sub-type and size. */
export function classifyModel(model: SeedModel): {
  id: string;
  concurrency_cost: number;
  published: PublishedClass | null;
} {
  const published = PUBLISHED_CLASSES.find((known) => matchesClass(known, model));
  if (published) return { id: published.id, concurrency_cost: published.cost, published };
  const size = model.parameters ?? parseSizeInName(model.id);
  const id = `${model.sub_type}-${size === null ? "unknown" : formatSize(size)}`;
  return { id, concurrency_cost: unitsOfSize(size), published: null };
}

function matchesClass({ architecture, parameters, context, idPattern }: PublishedClass, model: SeedModel): boolean {
  if (idPattern && !idPattern.test(`${model.id} ${model.base_model ?? ""}`)) return false;
  if (architecture === null) return idPattern !== undefined;
  if (architecture !== model.architecture || parameters === null || model.parameters === null) return false;
  const isSameSize = Math.abs(parameters - model.parameters) <= parameters * SIZE_TOLERANCE;
  return isSameSize && (model.context_length === null || model.context_length >= context);
}

/** Formats a number of parameters: `494m`, `1b5`, `32b`, `1t`. */
function formatSize(parameters: number): string {
  if (parameters < 0.95 * BILLION) return `${Math.round(parameters / 1e6)}m`;
  if (parameters >= 999 * BILLION)
    return `${(parameters / 1e12).toFixed(1).replace(/\.0$/, "").replace(".", "t")}t`.replace(/t(\d)t$/, "t$1");
  const billions = parameters / BILLION;
  if (billions >= 10) return `${Math.round(billions)}b`;
  const rounded = billions.toFixed(1).replace(/\.0$/, "");
  return rounded.includes(".") ? rounded.replace(".", "b") : `${rounded}b`;
}
