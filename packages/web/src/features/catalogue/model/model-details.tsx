import type { ModelDetail } from "@feather/sdk";
import { Capabilities } from "./capabilities.tsx";
import { Files } from "./files.tsx";
import { Places } from "./places.tsx";
import { SimilarModels } from "./similar-models.tsx";

/** The lower sections of a model's page: places, supported features, files, and similar models. */
export function ModelDetails({ model }: { model: ModelDetail }) {
  return (
    <>
      <Places places={model.places} />
      <Capabilities model={model} />
      <Files model={model} />
      <SimilarModels model={model} />
    </>
  );
}
