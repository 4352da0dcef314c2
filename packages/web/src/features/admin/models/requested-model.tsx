import type { ModelRequest } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { paths } from "#/config/paths.ts";
import { formatFit } from "#/entities/models/format-fit.ts";
import { formatParameterCount } from "#/lib/format.ts";
import { adminPaths } from "../paths.ts";
import styles from "./requested-model.module.css";
import { RequestingOrganizations } from "./requesting-organizations.tsx";
import { useCatalogueModel } from "./use-catalogue-model.ts";

/** A requested model with its size, and whether it fits this machine. */
export function RequestedModel({ request }: { request: ModelRequest }) {
  const { model_id: id, in_catalogue } = request;
  const model = useCatalogueModel(request);
  const size = formatParameterCount(model?.parameter_size ?? null);
  return (
    <>
      <Link to={in_catalogue ? paths.model(id) : adminPaths.importModels([id])}>
        <ModelId id={id} />
      </Link>
      <div className="small faint">
        {!in_catalogue
          ? t`not in the catalogue`
          : model?.fit
            ? t`${size} parameters: ${formatFit(model.fit)}`
            : model
              ? t`${size} parameters`
              : " "}
      </div>
      <div className={`small faint ${styles.from}`}>
        <RequestingOrganizations request={request} />
      </div>
    </>
  );
}
