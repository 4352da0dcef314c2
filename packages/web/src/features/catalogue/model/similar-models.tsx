import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { ModelTable } from "#/entities/models/model-table.tsx";
import { type ModelFilters, modelsQuery } from "#/entities/models/queries.ts";
import styles from "../catalogue.module.css";
import { comparisonPath, MAX_PICKS } from "../compare/picks.ts";

const MAX_SIMILAR = 5;
const BILLION = 1e9;
/** Tags that distinguish models, the most distinctive first. */
const DISTINCTIVE_TAGS = ["vision", "code", "roleplay", "math", "reasoning", "tool-use", "chat"];

/** Other models of similar size with the same strength. */
export function SimilarModels({ model }: { model: Model }) {
  const { data } = useQuery({ ...modelsQuery(toSimilarFilters(model)), enabled: model.parameter_size !== null });
  const others = data?.items.filter(({ id }) => id !== model.id).slice(0, MAX_SIMILAR);
  if (model.parameter_size === null || others?.length === 0) return null;
  return (
    <section className={styles.modelSection}>
      <div className="row between wrapping">
        <h2 className="h4">{t`Similar models`}</h2>
        {others ? (
          <Link className="link small" to={comparisonPath(new URLSearchParams(), pickForComparison(model, others))}>
            {t`Compare side by side`}
          </Link>
        ) : null}
      </div>
      <p className="small faint mt-1">{t`Of about the same size, and good at the same.`}</p>
      <div className="mt-2">
        <ModelTable models={others} detailed={false} rows={MAX_SIMILAR} />
      </div>
    </section>
  );
}

/** Returns the model and the most similar ones, as many as can be compared. */
const pickForComparison = (model: Model, others: readonly Model[]): string[] =>
  [model, ...others].slice(0, MAX_PICKS).map(({ id }) => id);

function toSimilarFilters({ tags, parameter_size: parameters }: Model): ModelFilters {
  const tag = DISTINCTIVE_TAGS.find((tag) => tags.includes(tag));
  const billions = (parameters ?? 0) / BILLION;
  return {
    min_params: billions / 1.6,
    max_params: billions * 1.6,
    perPage: MAX_SIMILAR + 1,
    ...(tag && { tags: tag }),
  };
}
