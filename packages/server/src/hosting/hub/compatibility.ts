import type { components } from "@feather/openapi/schema";
import type { HubFile, HubModel } from "./hub.ts";

type Compatibility = components["schemas"]["Compatibility"];
type Check = Compatibility["checks"][number];

/** The part of a repository that the rules check. */
export type CompatibilityFacts = Pick<HubModel, "files" | "config" | "readme" | "parameters" | "baseModel">;

/** A model of the catalogue that repositories are compared with. */
export type SupportedBase = {
  id: string;
  modelClass: string;
  architecture: string | null;
  parameterSize: number | null;
  contextLength: number | null;
};

/** The contract's response with all classes that fit. `model_class` is null unless exactly one does. */
export type CompatibilityResult = Compatibility & { candidates: string[] };

/**
 * The largest relative difference of parameter counts with the same tensor shapes. Added tokens cause less, another layer
 * causes more.
 */
const SIZE_TOLERANCE = 0.03;
const MAX_ARCHITECTURE_LENGTH = 100;
const BYTES_PER_16_BIT_WEIGHT = 2;
const SIXTEEN_BIT_DTYPES: Record<string, string> = { BF16: "bf16", F16: "f16", bfloat16: "bf16", float16: "f16" };
/** The share of the parameters that must have one data type. Norms, for example, may be wider. */
const DOMINANT_SHARE = 0.9;

/** Checks the six rules for serving a repository, and finds the classes that fit it. */
export function checkCompatibility(facts: CompatibilityFacts, bases: readonly SupportedBase[]): CompatibilityResult {
  const architecture = architectureOf(facts.config);
  const dtype = detectDtype(facts);
  const parameterSize = detectParameterSize(facts);
  const format = detectFormat(facts.files);
  const architectureBases = bases.filter((base) => architecture !== null && base.architecture === architecture);
  const sameShapeBases = architectureBases.filter((base) => isSameSize(base.parameterSize, parameterSize));
  const candidates = listClasses(sameShapeBases, facts);
  const checks = [
    checkModelCard(facts),
    checkFullWeights(facts.files),
    checkSafetensors(facts.files, format),
    checkDtype(dtype),
    toCheck(
      "architecture",
      "A supported architecture",
      architectureBases.length > 0,
      describeArchitecture(architecture, architectureBases.length > 0),
    ),
    toCheck(
      "tensor_shapes",
      "The same tensor shapes as a supported base",
      sameShapeBases.length > 0,
      describeShapes(sameShapeBases[0], parameterSize),
    ),
  ];
  return {
    compatible: checks.every(({ ok }) => ok),
    checks,
    detected: {
      architecture,
      parameter_size: parameterSize,
      format,
      dtype: dtype && (SIXTEEN_BIT_DTYPES[dtype] ?? dtype),
    },
    model_class: candidates.length === 1 ? (candidates[0] ?? null) : null,
    candidates,
  };
}

function toCheck(id: Check["id"], label: string, ok: boolean, detail: string): Check {
  return { id, label, ok, detail };
}

function checkModelCard({ readme }: CompatibilityFacts): Check {
  const ok = readme !== null && readme.trim() !== "";
  return toCheck("model_card", "A model card", ok, ok ? "There is a README.md." : "README.md is missing or empty.");
}

function checkFullWeights(files: readonly HubFile[]): Check {
  const result = (ok: boolean, detail: string) => toCheck("full_weights", "Full weights, no adapter", ok, detail);
  if (files.some(({ path }) => /(^|\/)adapter_(config\.json|model\.)/.test(path)))
    return result(false, "This is an adapter (LoRA). Merge it into its base model first.");
  const weights = listWeightFiles(files);
  if (weights.length === 0) return result(false, "There are no weight files.");
  const missing = countMissingShards(weights);
  if (missing > 0) return result(false, `${missing} of the weight files are missing.`);
  const empty = weights.find(({ size }) => size === 0);
  if (empty) return result(false, `${empty.path} is empty.`);
  return result(
    true,
    weights.length === 1 ? "The weight file is there." : `All ${weights.length} weight files are there.`,
  );
}

function checkSafetensors(files: readonly HubFile[], format: string | null): Check {
  const ok = format === "safetensors";
  const other = format === null ? "No weight files of a known format." : `The weights are ${format} files.`;
  return toCheck(
    "safetensors",
    "Weights as safetensors",
    ok,
    ok ? `${listWeightFiles(files).length} safetensors.` : other,
  );
}

function checkDtype(dtype: string | null): Check {
  const ok = dtype !== null && dtype in SIXTEEN_BIT_DTYPES;
  const detail = dtype === null ? "The data type of the weights is not known." : `The weights are ${dtype}.`;
  return toCheck("dtype", "16-bit weights (fp16 or bf16)", ok, detail);
}

function describeArchitecture(architecture: string | null, architectureBases: boolean): string {
  if (architecture === null) return "config.json names no architecture.";
  return architectureBases ? `${architecture} is supported.` : `${architecture} is not supported.`;
}

function describeShapes(base: SupportedBase | undefined, parameterSize: number | null): string {
  if (parameterSize === null) return "The number of parameters is not known.";
  if (base) return `Shaped like ${base.id}.`;
  return `No supported base of this architecture has about ${(parameterSize / 1e9).toFixed(2)} billion parameters.`;
}

/** Returns the weight files in the root folder: safetensors if there are any, else those of another format. */
function listWeightFiles(files: readonly HubFile[]): HubFile[] {
  const format = detectFormat(files);
  if (format === null) return [];
  return files.filter(({ path }) => !path.includes("/") && detectFileFormat(path) === format);
}

const FORMATS: [string, RegExp][] = [
  ["safetensors", /^(model|pytorch_model|consolidated).*\.safetensors$/],
  ["gguf", /\.gguf$/i],
  ["pickle", /\.(bin|pt|pth|ckpt)$/],
];

function detectFileFormat(path: string): string | null {
  if (/^(training_args|optimizer|scheduler)\b/.test(path)) return null;
  return FORMATS.find(([, form]) => form.test(path))?.[0] ?? null;
}

function detectFormat(files: readonly HubFile[]): string | null {
  const found = new Set(files.filter(({ path }) => !path.includes("/")).map(({ path }) => detectFileFormat(path)));
  return FORMATS.map(([format]) => format).find((format) => found.has(format)) ?? null;
}

/** Counts missing shards. Shards are named `…-00001-of-00005.…`, and a set must be complete. */
function countMissingShards(weights: readonly HubFile[]): number {
  const shards = weights.flatMap(({ path }) => {
    const match = /^(.*)-(\d{5})-of-(\d{5})\./.exec(path);
    return match ? [{ set: `${match[1]} ${match[3]}`, index: Number(match[2]), of: Number(match[3]) }] : [];
  });
  let missing = 0;
  for (const set of Map.groupBy(shards, (shard) => shard.set).values())
    missing += (set[0]?.of ?? 0) - new Set(set.map(({ index }) => index)).size;
  return Math.max(missing, 0);
}

/** Returns the first architecture that a `config.json` names; null if it names none. */
export function architectureOf(config: CompatibilityFacts["config"]): string | null {
  const names = config?.architectures;
  const name: unknown = Array.isArray(names) ? names[0] : undefined;
  return typeof name === "string" && name.length <= MAX_ARCHITECTURE_LENGTH ? name : null;
}

/** Returns the data type of most weights. A quantization method takes precedence over the configured type. */
function detectDtype({ config, parameters }: CompatibilityFacts): string | null {
  const quantization = config?.quantization_config as { quant_method?: unknown } | undefined;
  if (quantization) return typeof quantization.quant_method === "string" ? quantization.quant_method : "quantized";
  const counts = Object.entries(parameters ?? {}).sort(([, a], [, b]) => b - a);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const most = counts[0];
  if (most) return most[1] >= total * DOMINANT_SHARE ? most[0] : "mixed";
  const text = config?.text_config as { torch_dtype?: unknown; dtype?: unknown } | undefined;
  const named = config?.torch_dtype ?? config?.dtype ?? text?.torch_dtype ?? text?.dtype;
  return typeof named === "string" ? named : null;
}

function detectParameterSize(facts: CompatibilityFacts): number | null {
  const counted = Object.values(facts.parameters ?? {}).reduce((sum, count) => sum + count, 0);
  if (counted > 0) return counted;
  const dtype = detectDtype(facts);
  if (dtype === null || !(dtype in SIXTEEN_BIT_DTYPES) || detectFormat(facts.files) !== "safetensors") return null;
  const bytes = listWeightFiles(facts.files).reduce((sum, { size }) => sum + size, 0);
  return bytes > 0 ? Math.round(bytes / BYTES_PER_16_BIT_WEIGHT) : null;
}

function isSameSize(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && Math.abs(a - b) <= Math.max(a, b) * SIZE_TOLERANCE;
}

/**
 * Returns the classes of the models with this shape: of the declared base model, or else of those with the same context, or
 * else of all.
 */
function listClasses(sameShapeBases: readonly SupportedBase[], { baseModel, config }: CompatibilityFacts): string[] {
  const classes = (bases: readonly SupportedBase[]) => [...new Set(bases.map(({ modelClass }) => modelClass))].sort();
  const named = sameShapeBases.filter(({ id }) => id.toLowerCase() === baseModel?.toLowerCase());
  if (named.length > 0) return classes(named);
  const context = sameShapeBases.filter(({ contextLength }) => contextLength === config?.max_position_embeddings);
  return classes(context.length > 0 ? context : sameShapeBases);
}
