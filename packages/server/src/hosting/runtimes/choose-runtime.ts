import type { ModelFiles, RuntimeAbilities } from "./runtime.ts";
import { RUNTIMES, type RuntimeName } from "./runtime-list.ts";
import { findRuntime, type RuntimesOf, runtimeForFiles } from "./runtimes.ts";

/** What decides which program runs a model. */
export type ModelNeeds = {
  files: ModelFiles;
  /** The architecture of its weights; null if it is unknown. */
  architecture: string | null;
  /** Whether it has a projector file, with which it reads images. */
  hasProjector: boolean;
  /** Whether it was made to order texts. */
  isReranker: boolean;
};

/** Returns whether a program knows an architecture; true also if that cannot be determined. */
export type KnowsArchitecture = (runtime: RuntimeName, architecture: string) => Promise<boolean>;

/**
 * Returns the name of the program that runs a model: of those that are available, the first one that can do what the model
 * was made for and knows its architecture, or else the first one that knows it. If none does, the one for its files.
 */
export async function chooseRuntime(
  runtimes: RuntimesOf<object>,
  needs: ModelNeeds,
  knows: KnowsArchitecture,
): Promise<RuntimeName> {
  const available = RUNTIMES.filter(
    ({ name, files }) => files === needs.files && findRuntime(runtimes, { runtime: name }) !== null,
  );
  // Where there is no choice, no program has to be asked.
  if (available.length > 1) {
    const able = available.filter(({ abilities }) => isAble(abilities, needs));
    for (const { name } of new Set([...able, ...available]))
      if (needs.architecture === null || (await knows(name, needs.architecture))) return name;
  }
  return runtimeForFiles(runtimes, needs.files);
}

/** Returns whether one of the programs that are available reads images with the projector files of models. */
export function usesProjectors(runtimes: RuntimesOf<object>): boolean {
  return RUNTIMES.some(
    ({ name, abilities }) =>
      abilities.readsImages === "with_projector" && findRuntime(runtimes, { runtime: name }) !== null,
  );
}

function isAble({ readsImages, ranks }: RuntimeAbilities, { hasProjector, isReranker }: ModelNeeds): boolean {
  return (readsImages !== "never" || !hasProjector) && (ranks || !isReranker);
}
