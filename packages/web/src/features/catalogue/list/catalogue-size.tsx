import { Plural, Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { latestReleaseQuery, statsQuery } from "#/entities/models/queries.ts";

/** The number of models and families, and the date of the latest release. */
export function CatalogueSize() {
  const { data: stats } = useQuery(statsQuery);
  const { data: latest } = useQuery(latestReleaseQuery);
  if (!stats) return <p className="small">&nbsp;</p>;
  return (
    <p className="small faint num">
      <Trans>
        <Plural value={stats.model_count} one="# model" other="# models" /> ·{" "}
        <Plural value={stats.family_count} one="# family" other="# families" />
      </Trans>
      {latest ? (
        <>
          {" · "}
          <Link className="link" to={paths.release(latest)}>
            <Trans>latest {latest}</Trans>
          </Link>
        </>
      ) : null}
    </p>
  );
}
