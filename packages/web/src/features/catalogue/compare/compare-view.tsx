import { isNotFound } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { Barbs, EmptyState, ModelId, Skeleton, State } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { paths } from "#/config/paths.ts";
import { Callable } from "../callable.tsx";
import { type Model, modelQuery } from "../queries.ts";
import { differs, FACTS, type Fact } from "./facts.ts";
import { comparing, FEWEST, picking, readPicks } from "./picks.ts";

/** Two to four models side by side: state, capabilities and prices. */
export default function CompareView({ signedIn }: { signedIn: boolean }) {
  const [params] = useSearchParams();
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const ids = readPicks(params.get("compare"));
  const found = useQueries({ queries: ids.map((id) => modelQuery(id)) });
  const columns = ids.map((id, index) => ({
    id,
    without: comparing(
      params,
      ids.filter((other) => other !== id),
    ),
    query: found[index],
  }));
  const models = columns.flatMap(({ query }) => query?.data ?? []);
  const broken = found.find(({ error, data }) => error && !data && !isNotFound(error));
  const facts = onlyDifferent ? FACTS.filter((fact) => differs(fact, models)) : FACTS;

  if (ids.length === 0)
    return (
      <EmptyState
        title={t`Nothing is picked to compare`}
        action={
          <Link className="btn" to={picking(params, [])}>
            {t`To the models`}
          </Link>
        }
      >
        {t`Pick two to four models in the catalogue, and they stand here side by side.`}
      </EmptyState>
    );
  return (
    <>
      <div className="row between wraps">
        <h1 className="h2">{t`Models side by side`}</h1>
        <div className="row wraps">
          <Link className="btn" to={picking(params, ids)}>
            {t`Change the choice`}
          </Link>
          {models.length >= FEWEST ? (
            <Link className="btn primary" to={paths.chatWith(models.map(({ id }) => id))}>
              {t`Chat with them`}
            </Link>
          ) : null}
        </div>
      </div>
      {ids.length < FEWEST ? <p className="mid mt-3">{t`Pick another model to see what differs.`}</p> : null}
      <label className="check mt-4">
        <input
          type="checkbox"
          checked={onlyDifferent}
          disabled={models.length < FEWEST}
          onChange={({ target }) => setOnlyDifferent(target.checked)}
        />
        <span>{t`Only what differs`}</span>
      </label>
      {broken ? <ReadFault what={t`A model`} error={broken.error} again={() => void broken.refetch()} /> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard too */}
      <section className="compare mt-4" tabIndex={0} aria-label={t`Comparison`}>
        <table>
          <thead>
            <tr>
              <td />
              {columns.map(({ id, without, query }) => (
                <th key={id} scope="col">
                  <Link to={paths.model(query?.data?.id ?? id)}>
                    <ModelId id={query?.data?.id ?? id} />
                  </Link>
                  <Link className="plain small" to={without} replace aria-label={t`Remove ${id}`}>
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
                    <State tier={query.data.availability.tier} />
                  ) : (
                    <Missing gone={isNotFound(query?.error)} />
                  )}
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">{t`Can you call it?`}</th>
              {columns.map(({ id, query }) => (
                <td key={id}>{query?.data ? <Callable model={query.data} signedIn={signedIn} /> : null}</td>
              ))}
            </tr>
            {facts.map((fact) => (
              <tr key={fact.name} className={models.length >= FEWEST && differs(fact, models) ? "differs" : undefined}>
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
  if (!fact.units) return <span dir="auto">{fact.of(model)}</span>;
  return (
    <span className="with-barbs">
      <Barbs on={model.concurrency_cost} of={4} label="" /> {fact.of(model)}
    </span>
  );
}

function Missing({ gone }: { gone: boolean }) {
  return gone ? <span className="mid">{t`There is no such model here.`}</span> : <Skeleton width={60} />;
}
