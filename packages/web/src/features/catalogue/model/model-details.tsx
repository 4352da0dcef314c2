import type { ModelDetail } from "@feather/sdk";
import { Suspense, useRef } from "react";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { useNearViewport } from "#/lib/browser/use-near-viewport.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { Capabilities } from "./capabilities.tsx";
import { Files } from "./files.tsx";

// Loaded only for models that something runs: most of the catalogue has no places.
const Places = lazyComponent(async () => (await import("./places.tsx")).Places);
const Probes = lazyComponent(async () => (await import("./probes/probes.tsx")).Probes);
// The last section, which is rarely seen.
const SimilarModels = lazyComponent(async () => (await import("./similar-models.tsx")).SimilarModels);

/** The lower sections of a model's page: places, supported features, what it has shown, files, and similar models. */
export function ModelDetails({ model }: { model: ModelDetail }) {
  const { places, probes } = model;
  const end = useRef<HTMLDivElement>(null);
  const isEndNear = useNearViewport(end, "100px");
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
      <div ref={end}>
        {isEndNear ? (
          <Suspense fallback={<Skeleton height={320} />}>
            <SimilarModels model={model} />
          </Suspense>
        ) : null}
      </div>
    </>
  );
}
