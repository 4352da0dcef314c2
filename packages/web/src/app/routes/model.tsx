import { isApiError, isNotFound } from "@feather/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useParams } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { EmptyState, ModelId, Skeleton, State, Tag } from "#/components/ui/bits.tsx";
import { Markdown } from "#/components/ui/markdown.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/features/auth/user.ts";
import { ModelFacts } from "#/features/catalogue/model-facts.tsx";
import { modelQuery, reviewsQuery } from "#/features/catalogue/queries.ts";
import { Reviews } from "#/features/catalogue/reviews.tsx";
import { RunsHere } from "#/features/catalogue/runs-here.tsx";
import { usePageTitle } from "#/lib/page-title.ts";

export default function ModelPage() {
  const { owner = "", name = "" } = useParams();
  const id = `${owner}/${name}`;
  const { pathname } = useLocation();
  const tab = pathname.endsWith("/readme") ? "readme" : pathname.endsWith("/reviews") ? "reviews" : "overview";
  const { data: model, error } = useQuery(modelQuery(id));
  const { data: reviews } = useQuery(reviewsQuery(id));
  const { user } = useUser();
  usePageTitle(error ? undefined : (model?.id ?? id));
  if (error)
    return (
      <ErrorView
        error={
          isNotFound(error)
            ? { statusCode: 404 }
            : { statusCode: isApiError(error) ? error.status : 500, message: error.message }
        }
      />
    );
  const title = model?.id ?? id;
  return (
    <div className="wrap" style={{ paddingTop: "var(--s-5)" }}>
      <p className="small dim mb-2">
        <Link to="/models">Models</Link>
        {model?.family ? (
          <>
            {" / "}
            <Link to={paths.models({ family: model.family })}>{model.family}</Link>
          </>
        ) : null}
      </p>
      <div className="row between wraps">
        <h1 className="h1">
          <span className="dim">{title.slice(0, title.indexOf("/") + 1)}</span>
          {title.slice(title.indexOf("/") + 1)}
        </h1>
        <Link className="btn primary" to={paths.chat(title)}>
          Chat with it
        </Link>
      </div>
      <div className="row wraps mt-3" style={{ minHeight: 24 }}>
        {model ? <State tier={model.availability.tier} /> : <Skeleton width={60} />}
        {model?.tags.map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
        {model?.license ? <Tag>{model.license}</Tag> : null}
      </div>
      <nav className="tabs mt-5" aria-label="Model">
        <TabLink to={paths.model(title)} current={tab === "overview"} label="Overview" />
        <TabLink to={paths.model(title, "readme")} current={tab === "readme"} label="Readme" />
        <TabLink
          to={paths.model(title, "reviews")}
          current={tab === "reviews"}
          label={`Reviews ${reviews?.summary.count || ""}`}
        />
      </nav>
      <div className="model-page">
        <div>
          {tab === "overview" && model ? (
            <>
              <p className="prose">{model.description}</p>
              <RunsHere model={model} />
            </>
          ) : null}
          {tab === "readme" && model ? (
            model.readme ? (
              <Markdown text={model.readme} />
            ) : (
              <EmptyState title="There is no readme here">
                Readmes come with models that are pulled to this platform. The publisher keeps one on the model hub
                under <ModelId id={model.id} />.
              </EmptyState>
            )
          ) : null}
          {tab === "reviews" ? <Reviews id={title} signedIn={user !== null} /> : null}
        </div>
        <aside>{model ? <ModelFacts model={model} signedIn={user !== null} /> : null}</aside>
      </div>
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
