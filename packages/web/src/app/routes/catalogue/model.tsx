import { isNotFound, type ModelDetail } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Suspense, useRef } from "react";
import { Link, useLocation, useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { LoadingPlaceholder } from "#/components/ui/loading/loading-placeholder.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { modelQuery } from "#/entities/models/queries.ts";
import { getSuggestions } from "#/entities/models/suggestions.ts";
import { useUser } from "#/entities/session/user.ts";
import catalogueStyles from "#/features/catalogue/catalogue.module.css";
import { Costs } from "#/features/catalogue/model/costs.tsx";
import { ModelFacts } from "#/features/catalogue/model/model-facts.tsx";
import { ModelHeader } from "#/features/catalogue/model/model-header.tsx";
import { ModelPerformance } from "#/features/catalogue/model/model-performance.tsx";
import { useNearViewport } from "#/lib/browser/use-near-viewport.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { usePageTitle } from "#/lib/page-title.ts";
import styles from "./model.module.css";

// Loaded when they are needed: they are on other tabs, on the page of an unknown model, or below the first screen.
const Readme = lazyComponent(async () => (await import("#/features/catalogue/model/readme.tsx")).Readme);
const Reviews = lazyComponent(async () => (await import("#/features/catalogue/reviews/reviews.tsx")).Reviews);
const UnknownModel = lazyComponent(
  async () => (await import("#/features/catalogue/model/unknown-model.tsx")).UnknownModel,
);
const ModelDetails = lazyComponent(
  async () => (await import("#/features/catalogue/model/model-details.tsx")).ModelDetails,
);

/** A model of the catalogue: overview, readme and reviews in tabs. */
export default function ModelPage() {
  const { owner = "", name = "" } = useParams();
  const id = `${owner}/${name}`;
  const { pathname } = useLocation();
  const tab = pathname.endsWith("/readme") ? "readme" : pathname.endsWith("/reviews") ? "reviews" : "overview";
  const { data: model, error, refetch } = useQuery(modelQuery(id));
  const { user } = useUser();
  const isMissing = isNotFound(error);
  usePageTitle(isMissing ? undefined : (model?.id ?? id));
  if (isMissing)
    return (
      <Suspense fallback={<LoadingPlaceholder />}>
        <UnknownModel id={id} suggestions={getSuggestions(error)} />
      </Suspense>
    );
  if (error && !model)
    return (
      <div className="page-width section first">
        <h1 className="h2 user-text" dir="auto">
          {id}
        </h1>
        <LoadError subject={t`The model`} error={error} retry={() => void refetch()} />
      </div>
    );
  const title = model?.id ?? id;
  return (
    <div className={`page-width ${styles.modelTop}`}>
      <ModelHeader id={title} model={model} signedIn={user !== null} />
      <nav className="tabs mt-5" aria-label={t`Model`}>
        <TabLink to={paths.model(title)} current={tab === "overview"} label={t`Overview`} />
        <TabLink to={paths.model(title, "readme")} current={tab === "readme"} label={t`Readme`} />
        <TabLink
          to={paths.model(title, "reviews")}
          current={tab === "reviews"}
          label={t`Reviews ${model?.total_reviews || ""}`}
        />
      </nav>
      <div className={`${styles.modelPage} ${tab}`}>
        <div>
          {tab === "overview" ? model ? <Overview model={model} /> : <Pending /> : null}
          {tab === "readme" ? (
            <Suspense fallback={<Pending />}>{model ? <Readme model={model} /> : <Pending />}</Suspense>
          ) : null}
          {tab === "reviews" ? (
            <Suspense fallback={<Pending />}>
              <Reviews id={title} signedIn={user !== null} />
            </Suspense>
          ) : null}
        </div>
        <aside>{model ? <ModelFacts model={model} signedIn={user !== null} /> : <Skeleton height={420} />}</aside>
      </div>
    </div>
  );
}

/**
 * Shown until the content of a tab has loaded. Its class is so high that the content below is out of sight, since it
 * moves when the tab loads.
 */
function Pending() {
  return (
    <div className={styles.pending}>
      <Skeleton height={420} />
    </div>
  );
}

function Overview({ model }: { model: ModelDetail }) {
  return (
    <>
      <ModelPerformance model={model} />
      <Costs model={model} />
      <Details model={model} />
    </>
  );
}

/** The lower sections, which are loaded when they are about to be seen. */
function Details({ model }: { model: ModelDetail }) {
  const element = useRef<HTMLDivElement>(null);
  const isNear = useNearViewport(element, "100px");
  return (
    <div ref={element} className={`${catalogueStyles.modelSection} ${styles.details}`}>
      {isNear ? (
        <Suspense fallback={null}>
          <ModelDetails model={model} />
        </Suspense>
      ) : null}
    </div>
  );
}

function TabLink({ to, current, label }: { to: string; current: boolean; label: string }) {
  return (
    <Link to={to} aria-current={current ? "page" : undefined} replace>
      {label}
    </Link>
  );
}

/** Loads the model for the first view. */
export const prefetch = (client: QueryClient, { params }: PageLocation): Promise<void> =>
  client.prefetchQuery(modelQuery(`${params.owner}/${params.name}`));
