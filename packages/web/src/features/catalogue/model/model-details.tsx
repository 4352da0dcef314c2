import type { Model } from "@feather/sdk";
import { Capabilities } from "./capabilities.tsx";
import { Files } from "./files.tsx";
import { SimilarModels } from "./similar-models.tsx";

/** The lower sections of a model's page: supported features, files, and similar models. */
export function ModelDetails({ model }: { model: Model }) {
  return (
    <>
      <Capabilities model={model} />
      <Files model={model} />
      <SimilarModels model={model} />
    </>
  );
}
