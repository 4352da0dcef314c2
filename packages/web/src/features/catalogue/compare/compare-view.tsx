import { isNotFound, type Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { modelQuery } from "#/entities/models/queries.ts";
import { CallAccess } from "../call-access.tsx";
import catalogueStyles from "../catalogue.module.css";
import styles from "./compare-view.module.css";
import { FACTS, type Fact, isDifferent } from "./facts.ts";
import { comparisonPath, MIN_PICKS, parsePicks, pickingPath } from "./picks.ts";

/** Two to four models side by side: state, capabilities and prices. */
export default function CompareView({ signedIn }: { signedIn: boolean }) {
  const [params] = useSearchParams();
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const ids = parsePicks(params.get("compare"));
  const queries = useQueries({ queries: ids.map((id) => modelQuery(id)) });
  const columns = ids.map((id, index) => ({
    id,
    hrefWithout: comparisonPath(
      params,
      ids.filter((other) => other !== id),
    ),
    query: queries[index],
  }));
  const models = columns.flatMap(({ query }) => query?.data ?? []);
  const failed = queries.find(({ error, data }) => error && !data && !isNotFound(error));
  const facts = onlyDifferent ? FACTS.filter((fact) => isDifferent(fact, models)) : FACTS;

  if (ids.length === 0)
    return (
      <EmptyState
        title={t`Nothing is picked to compare`}
        action={
          <Link className="btn" to={pickingPath(params, [])}>
            {t`To the models`}
          </Link>
        }
      >
        {t`Pick two to four models in the catalogue, and they stand here side by side.`}
      </EmptyState>
    );
  return (
    <>
      <div className="row between wrapping">
        <h1 className="h2">{t`Models side by side`}</h1>
        <div className="row wrapping">
          <Link className="btn" to={pickingPath(params, ids)}>
            {t`Change the choice`}
          </Link>
          {models.length >= MIN_PICKS ? (
            <Link className="btn primary" to={paths.chatWithModels(models.map(({ id }) => id))}>
              {t`Chat with them`}
            </Link>
          ) : null}
        </div>
      </div>
      {ids.length < MIN_PICKS ? <p className="muted mt-3">{t`Pick another model to see what differs.`}</p> : null}
      <label className="check mt-4">
        <input
          type="checkbox"
          checked={onlyDifferent}
          disabled={models.length < MIN_PICKS}
          onChange={({ target }) => setOnlyDifferent(target.checked)}
        />
        <span>{t`Only what differs`}</span>
      </label>
      {failed ? <LoadError subject={t`A model`} error={failed.error} retry={() => void failed.refetch()} /> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too */}
      <section className={`${styles.compare} mt-4`} tabIndex={0} aria-label={t`Comparison`}>
        <table>
          <thead>
            <tr>
              <td />
              {columns.map(({ id, hrefWithout, query }) => (
                <th key={id} scope="col">
                  <Link to={paths.model(query?.data?.id ?? id)}>
                    <ModelId id={query?.data?.id ?? id} />
                  </Link>
                  <Link className="plain small" to={hrefWithout} replace aria-label={t`Remove ${id}`}>
                    {t`Remove`}
                  </Link>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t`State`}</th>
              {columns.map(({ id, query }) => (
                <td key={id}>
                  {query?.data ? (
                    <StateBadge tier={query.data.availability.tier} />
                  ) : (
                    <Missing isMissing={isNotFound(query?.error)} />
                  )}
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">{t`Can you call it?`}</th>
              {columns.map(({ id, query }) => (
                <td key={id}>{query?.data ? <CallAccess model={query.data} signedIn={signedIn} /> : null}</td>
              ))}
            </tr>
            {facts.map((fact) => (
              <tr
                key={fact.name}
                className={models.length >= MIN_PICKS && isDifferent(fact, models) ? styles.differs : undefined}
              >
                <th scope="row">{fact.name}</th>
                {columns.map(({ id, query }) => (
                  <td key={id} className="num">
                    {query?.data ? <Value fact={fact} model={query.data} /> : null}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Value({ fact, model }: { fact: Fact; model: Model }) {
  if (!fact.units) return <span dir="auto">{fact.format(model)}</span>;
  return (
    <span className={catalogueStyles.withBarbs}>
      <Barbs active={model.concurrency_cost} total={4} label="" /> {fact.format(model)}
    </span>
  );
}

function Missing({ isMissing }: { isMissing: boolean }) {
  return isMissing ? <span className="muted">{t`There is no such model here.`}</span> : <Skeleton width={60} />;
}
