import type { ModelDetail } from "@feather/sdk";
import { Suspense } from "react";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { Capabilities } from "./capabilities.tsx";
import { Files } from "./files.tsx";
import { SimilarModels } from "./similar-models.tsx";

// Loaded only for models that something runs: most of the catalogue has no places.
const Places = lazyComponent(async () => (await import("./places.tsx")).Places);
const Probes = lazyComponent(async () => (await import("./probes/probes.tsx")).Probes);

/** The lower sections of a model's page: places, supported features, what it has shown, files, and similar models. */
export function ModelDetails({ model }: { model: ModelDetail }) {
  const { places, probes } = model;
  return (
    <>
      {places.length > 0 ? (
        <Suspense fallback={<Skeleton height={80 + 64 * places.length} />}>
          <Places places={places} />
        </Suspense>
      ) : null}
      <Capabilities model={model} />
      {probes.length > 0 ? (
        <Suspense fallback={<Skeleton height={80 + 56 * probes.length} />}>
          <Probes probes={probes} />
        </Suspense>
      ) : null}
      <Files model={model} />
      <SimilarModels model={model} />
    </>
  );
}
