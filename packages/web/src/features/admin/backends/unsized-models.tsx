import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { formatCount } from "#/lib/format.ts";
import { adminPaths } from "../paths.ts";

const MAX_SHOWN = 3;

/** Names models whose number of parameters is unknown, each with a link to where it is entered. Nothing if there is none. */
export function UnsizedModels({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  const moreCount = formatCount(ids.length - MAX_SHOWN);
  return (
    <p className="small muted user-text" title={t`A model of unknown size takes the units of the largest.`}>
      {t`Size unknown:`}{" "}
      {ids.slice(0, MAX_SHOWN).map((id, index) => (
        <span key={id}>
          {index > 0 ? ", " : ""}
          <Link className="link" to={adminPaths.model(id)}>
            {id}
          </Link>
        </span>
      ))}{" "}
      {ids.length > MAX_SHOWN ? t`and ${moreCount} more` : null}
    </p>
  );
}
