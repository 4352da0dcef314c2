import type { Model } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { isBeingDownloaded } from "#/entities/models/availability.ts";
import { hoursQuery, ratesQuery } from "#/entities/models/queries.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "../catalogue.module.css";
import { HowToRun } from "./how-to-run.tsx";

// Loaded only for models with measurements: many are never called.
const PerformanceFigures = lazyComponent(async () => (await import("./performance-figures.tsx")).PerformanceFigures);

/** Their height in pixels. */
const FIGURES_HEIGHT = 182;

/** Speed and errors of the model's class from real requests; where there were none, how to run it. */
export function ModelPerformance({ model }: { model: Model }) {
  const { data: rates } = useQuery(ratesQuery);
  const { data: hours } = useQuery(hoursQuery(model.model_class));
  const requests = hours?.reduce((sum, hour) => sum + hour.requests, 0) ?? 0;
  const row = rates?.items.find((item) => item.model_class === model.model_class);
  const { tier } = model.availability;
  const isDownload = isBeingDownloaded(model.availability);
  return (
    <section className={styles.modelSection}>
      <h2 className="h4">{t`How it runs here`}</h2>
      {hours === undefined ? (
        <div className="mt-4">
          <Skeleton height={118} />
        </div>
      ) : requests > 0 ? (
        <>
          <p className="small faint mt-1">
            {plural(requests, { one: "# request in the last 24 hours.", other: "# requests in the last 24 hours." })}{" "}
            {t`The figures are of the last hour.`}
          </p>
          <Suspense fallback={<Skeleton height={FIGURES_HEIGHT} />}>
            <PerformanceFigures hours={hours} rates={row} modelClass={model.model_class} />
          </Suspense>
        </>
      ) : (tier === "warm" || tier === "loading") && !isDownload ? (
        <p className="muted mt-2">{t`Nobody has called it in the last 24 hours, so there are no figures yet.`}</p>
      ) : null}
      {tier === "offline" || isDownload ? <HowToRun model={model} /> : null}
    </section>
  );
}
