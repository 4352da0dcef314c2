import { type Fields, toRecord } from "../../formats/fields.ts";

/** The host of calls to models, whose other part in Bedrock's control plane lists the models. */
const RUNTIME = /\bbedrock-runtime\b/;

/** Returns the addresses of the foundation models and of the inference profiles, which are at another host than calls. */
export function toListUrls(baseUrl: string): string[] {
  const url = new URL(baseUrl);
  url.hostname = url.hostname.replace(RUNTIME, "bedrock");
  const root = url.href.replace(/\/+$/, "");
  return [`${root}/foundation-models`, `${root}/inference-profiles?maxResults=1000`];
}

/**
 * Returns the models that write text: those that can be called under their own id, and the inference profiles of them and of
 * others.
 */
export function readModels([models, profiles]: readonly unknown[]): Fields[] | undefined {
  const summaries = toRecord(models).modelSummaries;
  const profileSummaries = toRecord(profiles).inferenceProfileSummaries;
  if (!Array.isArray(summaries) || !Array.isArray(profileSummaries)) return undefined;
  const writing = summaries.map(toRecord).filter(({ outputModalities }) => includes(outputModalities, "TEXT"));
  const ids = new Set(writing.map(({ modelId }) => modelId));
  const onDemand = writing.filter(({ inferenceTypesSupported }) => includes(inferenceTypesSupported, "ON_DEMAND"));
  const usable = profileSummaries.map(toRecord).filter((profile) => profile.status === "ACTIVE" && isOf(profile, ids));
  return [...onDemand.map(({ modelId }) => ({ id: modelId })), ...usable.map(toProfileEntry)];
}

/** A profile that people have made has only an ARN; its id alone is not enough for a call. */
function toProfileEntry({ type, inferenceProfileId, inferenceProfileArn }: Fields): Fields {
  return { id: type === "APPLICATION" ? inferenceProfileArn : inferenceProfileId };
}

function isOf({ models }: Fields, ids: ReadonlySet<unknown>): boolean {
  if (!Array.isArray(models)) return false;
  return models.some((model) => ids.has(String(toRecord(model).modelArn).split("/").at(-1)));
}

function includes(values: unknown, value: string): boolean {
  return Array.isArray(values) && values.includes(value);
}
