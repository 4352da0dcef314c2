import { existsSync } from "node:fs";
import { basename } from "node:path";
import { BUILT_IN_MODELS, type HostedModel } from "../../runtimes/index.ts";

/** Returns the built-in models. They are small, so pinned ones stay loaded, and their first call is answered at once. */
export function listBuiltInModels(pinned: boolean): HostedModel[] {
  return BUILT_IN_MODELS.filter(({ file }) => existsSync(file)).map(({ id, file, contextLength, bytesPerToken }) => ({
    id,
    file,
    contextLength,
    bytesPerToken,
    fileName: basename(file),
    size: 0,
    pinned,
  }));
}
