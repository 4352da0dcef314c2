import type { Model, ModelDetail } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Star } from "#/components/ui/labels/star.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { formatAvailability } from "#/entities/models/availability.ts";
import { familiesQuery } from "#/entities/models/family-queries.ts";
import { formatHostedWithCountry } from "#/entities/models/hosted.ts";
import { findModelCall } from "#/entities/models/model-call.ts";
import { formatDecimal } from "#/lib/format.ts";
import { SaveButton } from "../saved/save-button.tsx";
import styles from "./model-header.module.css";

/** The header of a model's page: breadcrumb, name, state, rating and actions. */
export function ModelHeader({
  id,
  model,
  signedIn,
}: {
  id: string;
  model: ModelDetail | undefined;
  signedIn: boolean;
}) {
  const slash = id.indexOf("/") + 1;
  return (
    <header>
      <Breadcrumb model={model} />
      <div className="row between wrapping">
        <h1 className="h1">
          <span className="faint">{id.slice(0, slash)}</span>
          {id.slice(slash)}
        </h1>
        <div className="row">
          {model ? <SaveButton model={model} signedIn={signedIn} /> : null}
          {model === undefined || findModelCall(model) === "chat" ? (
            <Link className="btn primary" to={paths.chat(id)}>
              {t`Chat with it`}
            </Link>
          ) : null}
        </div>
      </div>
      <p className={`lede ${styles.modelLede}`} dir="auto">
        {model ? model.description : <Skeleton width="60%" height={20} />}
      </p>
      <div className={`row wrapping mt-4 ${styles.modelTags}`}>
        {model ? (
          <>
            <StateBadge tier={model.availability.tier}>{describeState(model)}</StateBadge>
            {model.hosted.length > 0 ? <Tag>{formatHostedWithCountry(model)}</Tag> : null}
            {model.avg_rating === null ? null : (
              <Link className={`row ${styles.modelRating}`} to={paths.model(id, "reviews")}>
                <Star filled size={14} />
                <span className="num">{formatDecimal(model.avg_rating)}</span>
                <span className="faint num">
                  {plural(model.total_reviews, { one: "# review", other: "# reviews" })}
                </span>
              </Link>
            )}
            {model.tags.map((tag) => (
              <Link key={tag} to={paths.models({ tags: tag })}>
                <Tag>{tag}</Tag>
              </Link>
            ))}
            {model.is_gated ? <Tag>{t`gated`}</Tag> : null}
          </>
        ) : (
          <Skeleton width={220} />
        )}
      </div>
      {model?.availability.loading_reason ? (
        <p className="muted mt-2" role="status" dir="auto">
          {model.availability.loading_reason}
        </p>
      ) : null}
    </header>
  );
}

function describeState({ availability }: Model): string {
  const { tier } = availability;
  if (tier === "loading") return formatAvailability(availability);
  if (tier === "cold") return t`cold: the first call loads it`;
  return tier === "warm" ? t`warm: answers now` : t`offline here`;
}

function Breadcrumb({ model }: { model: Model | undefined }) {
  const { data: families } = useQuery(familiesQuery);
  const family = families?.find(({ id }) => id === model?.family);
  const subType = family?.sub_types.find(({ id }) => id === model?.sub_type);
  return (
    <nav className={`${styles.trail} small faint mb-2`} aria-label={t`Where this is`}>
      <Link to="/models">{t`Models`}</Link>
      {model?.family ? (
        <>
          <span aria-hidden="true"> / </span>
          <Link to={paths.family(model.family)}>{family?.name ?? model.family}</Link>
        </>
      ) : null}
      {model?.family && subType ? (
        <>
          <span aria-hidden="true"> / </span>
          <Link to={paths.family(model.family, subType.id)}>{subType.name}</Link>
        </>
      ) : null}
    </nav>
  );
}
