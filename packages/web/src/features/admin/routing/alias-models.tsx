import type { RoutingAlias } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { adminPaths } from "../paths.ts";
import styles from "./alias-models.module.css";

/** The models of an alias in their order, and what keeps calls from them. */
export function AliasModels({ alias: { models, unknown_models, is_hidden } }: { alias: RoutingAlias }) {
  return (
    <>
      <ol className={styles.models}>
        {models.map((id) => (
          <li key={id} className="mono small user-text">
            {unknown_models.includes(id) ? (
              <>
                {id} <Tag>{t`does not exist`}</Tag>
              </>
            ) : (
              <Link className="link" to={adminPaths.model(id)}>
                {id}
              </Link>
            )}
          </li>
        ))}
      </ol>
      {is_hidden ? (
        <div className="small muted">{t`A model has this name by now. Calls go to it, not to the alias.`}</div>
      ) : unknown_models.length === models.length ? (
        <div className="small muted">{t`Broken: none of its models exists. Calls of it are refused.`}</div>
      ) : null}
    </>
  );
}
