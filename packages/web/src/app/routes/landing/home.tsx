import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { Link } from "react-router-dom";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { FigureBand } from "#/components/ui/figures/figure-band.tsx";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { LoadingPlaceholder } from "#/components/ui/loading/loading-placeholder.tsx";
import { paths } from "#/config/paths.ts";
import { CallSnippets } from "#/entities/models/call-snippets.tsx";
import { getDefaultModel } from "#/entities/models/default-model.ts";
import { statsQuery } from "#/entities/models/queries.ts";
import { runningModelsQuery } from "#/entities/models/running-query.ts";
import { formatPrice } from "#/entities/plans/plan-labels.ts";
import { plansQuery } from "#/entities/plans/queries.ts";
import { useCurrency } from "#/entities/plans/use-currency.ts";
import { useUser } from "#/entities/session/user.ts";
import { NewestModels } from "#/features/home/newest-models.tsx";
import { PopularModels } from "#/features/home/popular-models.tsx";
import { RunningModels } from "#/features/home/running-models.tsx";
import { UnitsExplained } from "#/features/home/units-explained.tsx";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { usePageTitle } from "#/lib/page-title.ts";
import styles from "./home.module.css";

// Not loaded by visitors.
const SignedInHome = lazyComponent(async () => (await import("./signed-in-home.tsx")).SignedInHome);

/** The home page: the dashboard for users, and an introduction for visitors. */
export default function HomePage() {
  const { user, loading } = useUser();
  if (loading) return <LoadingPlaceholder />;
  return user ? (
    <Suspense fallback={<LoadingPlaceholder />}>
      <SignedInHome user={user} />
    </Suspense>
  ) : (
    <LandingPage />
  );
}

function LandingPage() {
  usePageTitle(t`Open models, on your own machines`); // also after logging out on this page
  const runningQuery = useQuery(runningModelsQuery);
  const { data: running } = runningQuery;
  const warm = running?.items.filter(({ availability }) => availability.tier === "warm");
  const model = getDefaultModel(warm ?? []);
  return (
    <>
      <div className={`page-width ${styles.hero}`}>
        <div>
          <h1 className="display">{t`Open models, on your own machines.`}</h1>
          <p className="lede">
            {t`Browse the open catalogue, call what runs here through one OpenAI-compatible address, and add the models you need: on this machine, or from any server that speaks the same protocol.`}
          </p>
          <div className="row wrapping">
            <Link className="btn primary large" to="/register">
              {t`Start calling`}
            </Link>
            <Link className="btn large" to="/models">
              {t`Browse models`}
            </Link>
          </div>
        </div>
        <div className={styles.heroCode}>
          <CallSnippets model={model} />
        </div>
      </div>
      <Figures />
      <div className="page-width section first">
        <div className="row between wrapping mb-4">
          <h2 className="h2">{t`Warm right now`}</h2>
          <Link className="link" to={paths.models({ availability: "warm" })}>
            {t`All warm models`}
          </Link>
        </div>
        {runningQuery.isError && running === undefined ? (
          <LoadError subject={t`Warm models`} error={runningQuery.error} retry={() => void runningQuery.refetch()} />
        ) : (
          <RunningModels models={running?.items} />
        )}
        <p className="small faint mt-3">
          {t`Warm models answer at once. More become warm when a backend that runs them is found on this machine or added by its address.`}
        </p>
        <PopularModels />
        <div className="row between wrapping mt-12 mb-4">
          <h2 className="h2">{t`New in the catalogue`}</h2>
          <Link className="link" to="/models">
            {t`All models`}
          </Link>
        </div>
        <NewestModels />
      </div>
      <div className="section">
        <div className="page-width">
          <h2 className="h2">{t`One contract, four ways in.`}</h2>
          <div className={styles.ways}>
            <AccessOption title={t`Terminal`} to={paths.docs("cli")} link={t`Use the CLI`}>
              {t`Models, chat and keys as commands. Tables for you, JSON for pipes, exit codes for pipelines.`}
            </AccessOption>
            <AccessOption title="SDK" to={paths.docs("sdk")} link={t`Read the reference`}>
              {t`Typed from the OpenAPI document. Streams, retries, real dates, lists that go on by themselves.`}
            </AccessOption>
            <AccessOption title={t`The OpenAI package`} to="/openai" link={t`Change one line`}>
              {t`The official packages work unchanged. So do Cline, Roo Code and whatever else speaks that protocol.`}
            </AccessOption>
            <AccessOption title={t`Your own hardware`} to={paths.docs("backends")} link={t`Add a backend`}>
              {t`A running Ollama, vLLM or llama-server is found by itself. Anything that speaks the same protocol joins by its address.`}
            </AccessOption>
          </div>
        </div>
      </div>
      <Plans />
    </>
  );
}

function AccessOption({ title, to, link, children }: { title: string; to: string; link: string; children: string }) {
  return (
    <div>
      <h3 className="h4">{title}</h3>
      <p>{children}</p>
      <Link className="link" to={to}>
        {link}
      </Link>
    </div>
  );
}

function Figures() {
  const { data } = useQuery(statsQuery);
  const figures = [
    [data?.model_count, t`models in the catalogue`],
    [data?.family_count, t`families`],
    [data?.warm_count, t`warm now`],
    [data?.requests_24h, t`requests in the last 24 hours`],
  ] as const;
  return <FigureBand figures={figures} />;
}

function Plans() {
  const { data } = useQuery(plansQuery);
  const currency = useCurrency();
  const plans = data?.items
    .filter((plan) => plan.price_usd_cents !== null && plan.billing_mode === "subscription")
    .slice(0, 4);
  return (
    <div className="section">
      <div className="page-width">
        <h2 className="h2">{t`You reserve concurrency, not tokens.`}</h2>
        <UnitsExplained>
          <p className="lede mt-3">
            {t`A plan is a number of units. A request holds one to four of them while it runs, by model size. Tokens are not counted.`}
          </p>
          <p className="row wrapping mt-5">
            <Link className="link" to={paths.pricing}>
              {t`Compare the plans`}
            </Link>
            <Link className="link" to="/docs/why-units">
              {t`Why units`}
            </Link>
          </p>
        </UnitsExplained>
        <div className={styles.plans}>
          {plans?.map((plan) => (
            <div key={plan.id}>
              <div className="row between">
                <h3 className="h4 user-text">{plan.name}</h3>
                <Barbs
                  active={plan.concurrency ?? 8}
                  total={plan.concurrency ?? 8}
                  label={plural(plan.concurrency ?? 8, { one: "# unit", other: "# units" })}
                />
              </div>
              <p className="v">{formatPrice(plan, currency)}</p>
              <p className="small faint">
                {plan.price_usd_cents ? (plan.unit_based ? t`a month, for each 8 units` : t`a month`) : t`for ever`}
              </p>
              <p className="mt-3">{plan.features.slice(0, 2).join(". ")}.</p>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
