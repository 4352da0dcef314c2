import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { paths } from "#/config/paths.ts";
import { popularQuery } from "#/entities/models/queries.ts";
import { formatCount } from "#/lib/format.ts";

const MAX_MODELS = 5;

/** The models called most in the last seven days. Renders nothing where none was called. */
export function PopularModels() {
  const { data } = useQuery(popularQuery);
  if (!data || data.length === 0) return null;
  return (
    <section className="mt-12">
      <div className="row between wrapping mb-4">
        <h2 className="h2">{t`Most called here`}</h2>
        <Link className="link" to="/models?sort=-trending_rank">
          {t`All by calls`}
        </Link>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{t`Model`}</th>
            <th scope="col" className="numeric">
              {t`Requests in 7 days`}
            </th>
          </tr>
        </thead>
        <tbody>
          {data.slice(0, MAX_MODELS).map(({ id, requests_7d }) => (
            <tr key={id}>
              <td>
                <Link to={paths.model(id)}>
                  <ModelId id={id} />
                </Link>
              </td>
              <td className="numeric">{formatCount(requests_7d)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
