import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { ErrorView } from "#/components/layouts/error-view.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { paths } from "#/config/paths.ts";

/** The page of a model that does not exist, with links to models with a similar id. */
export function UnknownModel({ id, suggestions }: { id: string; suggestions: readonly string[] }) {
  return (
    <ErrorView error={{ statusCode: 404, message: t`There is no model called ${id}.` }}>
      {suggestions.length > 0 ? (
        <nav className="mt-4" aria-label={t`Models with nearly the same id`}>
          <p className="muted">{t`Did you mean`}</p>
          <ul className="mt-2">
            {suggestions.map((suggestion) => (
              <li key={suggestion}>
                <Link className="link" to={paths.model(suggestion)}>
                  <ModelId id={suggestion} />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
    </ErrorView>
  );
}
