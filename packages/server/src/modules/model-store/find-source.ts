import type { Hub, HubMatch, HubModel } from "../hub/index.ts";
import { listLoadableFiles } from "./choose-file.ts";
import type { HubTokens } from "./hub-tokens.ts";
import { groupModelFiles } from "./model-files.ts";
import { noGgufFile, partsMissing } from "./store.errors.ts";

/** A repository with files that can be loaded, the id of the model that they are, and the token to read it with. */
export type Source = { repository: HubModel; modelId: string; token: string | undefined };

type Deps = {
  hub: Pick<Hub, "model" | "findQuantized">;
  /** Returns the id of a model of the catalogue as it spells it; null if it has none. */
  findModelId(id: string): Promise<string | null>;
  tokens: HubTokens;
  /** Called with the repository of the id itself, whether it has files that can be loaded or not. */
  onNamed?(repository: HubModel): void;
};

/** Publishers whose quantized models are widely used, in this order. Others follow by their downloads. */
const KNOWN_PUBLISHERS = ["ggml-org", "unsloth", "bartowski", "lmstudio-community"];
/** How many of the found repositories are looked into. */
const MAX_READ = 5;

/**
 * Returns where a model can be downloaded from: the repository of that name, if it has GGUF files, else one with its
 * weights in GGUF. A repository of quantized weights that the catalogue does not have itself is the model of the catalogue
 * that they are from. Throws
 * `store.no_gguf` if there is none, `store.parts_missing` if there is only a split file without all its parts, and the
 * errors of the hub.
 */
export async function findSource({ hub, findModelId, tokens, onNamed }: Deps, id: string): Promise<Source> {
  const read = (repositoryId: string) => hub.model(repositoryId, { token: tokens.operatorToken });
  const named = await read(id);
  onNamed?.(named);
  // The hub may know the repository by another name now; the model keeps that of the catalogue.
  const known = (await findModelId(id)) ?? (await findModelId(named.id));
  if (isLoadable(named)) {
    const base = named.quantizedFrom === null ? null : await findModelId(named.quantizedFrom);
    return { repository: named, modelId: known ?? base ?? named.id, token: await tokens.forRepository(named) };
  }
  const modelId = known ?? named.id;
  for (const match of sortMatches(await hub.findQuantized(named.id), named.id).slice(0, MAX_READ)) {
    const repository = await read(match.id);
    const token = await tokens.forRepository(repository);
    if (isLoadable(repository) && (!repository.gated || token !== undefined)) return { repository, modelId, token };
  }
  const [incomplete] = groupModelFiles(named.files).incomplete;
  throw incomplete ? partsMissing(incomplete) : noGgufFile(named.id);
}

const isLoadable = ({ files }: HubModel): boolean => listLoadableFiles(files).length > 0;
const ownerOf = (id: string): string => id.slice(0, id.indexOf("/")).toLowerCase();

/** Sorts repositories: of the model's own publisher first, then of the known ones, then by downloads. */
function sortMatches(matches: readonly HubMatch[], modelId: string): HubMatch[] {
  const order = [ownerOf(modelId), ...KNOWN_PUBLISHERS];
  const rank = ({ id }: HubMatch) => (order.includes(ownerOf(id)) ? order.indexOf(ownerOf(id)) : order.length);
  return [...matches].sort((a, b) => rank(a) - rank(b) || (b.downloads ?? 0) - (a.downloads ?? 0));
}
