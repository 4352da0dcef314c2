import type { Hub, HubMatch, HubModel } from "../../hub/index.ts";
import { listLoadableFiles } from "../files/choose-file.ts";
import { groupModelFiles } from "../model-files.ts";
import { noGgufFile, partsMissing } from "../store.errors.ts";
import type { HubTokens } from "./hub-tokens.ts";

/**
 * A repository with files that can be loaded, the id of the model that they contain, and the token to read the repository.
 */
export type Source = { repository: HubModel; modelId: string; token: string | undefined };

type Deps = {
  hub: Pick<Hub, "model" | "findQuantized">;
  /** Returns the catalogue's spelling of a model id; null if the catalogue does not have the model. */
  findModelId(id: string): Promise<string | null>;
  tokens: HubTokens;
  /** Called with the repository that has the id itself, whether or not it has files that can be loaded. */
  onNamed?(repository: HubModel): void;
};

/**
 * Publishers whose quantized models are widely used, in order of preference. Other publishers come after them, sorted by
 * downloads.
 */
const KNOWN_PUBLISHERS = ["ggml-org", "unsloth", "bartowski", "lmstudio-community"];
/** The number of found repositories that are read. */
const MAX_READ = 5;

/**
 * Returns the repository that a model can be downloaded from: the one with its id if that has GGUF files, otherwise another
 * one with its weights in GGUF. If the repository with the id has quantized weights and is not in the catalogue, the model
 * is the original that the catalogue has. Throws `store.no_gguf` if there is no repository, `store.parts_missing` if its
 * only file is a split one without all its parts, and `hub.*` errors.
 */
export async function findSource({ hub, findModelId, tokens, onNamed }: Deps, id: string): Promise<Source> {
  const read = (repositoryId: string) => hub.model(repositoryId, { token: tokens.operatorToken });
  const named = await read(id);
  onNamed?.(named);
  // The hub may have renamed the repository. The model keeps the id that the catalogue has.
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

/** Returns the repositories sorted: those of the model's own publisher, then those of known publishers, then by downloads. */
function sortMatches(matches: readonly HubMatch[], modelId: string): HubMatch[] {
  const order = [ownerOf(modelId), ...KNOWN_PUBLISHERS];
  const rank = ({ id }: HubMatch) => (order.includes(ownerOf(id)) ? order.indexOf(ownerOf(id)) : order.length);
  return [...matches].sort((a, b) => rank(a) - rank(b) || (b.downloads ?? 0) - (a.downloads ?? 0));
}
