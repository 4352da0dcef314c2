import type { Model, ModelDetail } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import catalogueStyles from "../catalogue.module.css";
import { formatSchemaSupport } from "../schema-support.ts";
import styles from "./capabilities.module.css";

/** What a model supports, as it has shown, or as stated by its publisher and by the backend that runs it. */
export function Capabilities({
  model,
}: {
  model: Pick<Model, "features" | "input_modalities" | "output_modalities" | "languages"> & Pick<ModelDetail, "probes">;
}) {
  const { features, input_modalities: inputs, output_modalities: outputs, languages, probes } = model;
  const hasShown = (shown: string) => probes.some(({ ability, result }) => ability === shown && result === "yes");
  const sourceOf = (ability: string, stated: string) => (hasShown(ability) ? t`as it has shown` : stated);
  const yesOrNo = (has: boolean) => (has ? t`yes` : t`no`);
  const rows: readonly [string, boolean, string, string][] = [
    [t`Tool calling`, features.tool_use, sourceOf("tools", t`as its publisher states`), yesOrNo(features.tool_use)],
    [t`Reasoning before the answer`, features.reasoning, t`as its publisher states`, yesOrNo(features.reasoning)],
    [
      t`Images in the prompt`,
      features.image_input,
      sourceOf("vision", t`as its publisher states`),
      yesOrNo(features.image_input),
    ],
    [
      t`Answers held to a JSON schema`,
      features.json_mode,
      sourceOf("json_schema", t`by what runs it here`),
      formatSchemaSupport(features),
    ],
  ];
  return (
    <section className={catalogueStyles.modelSection}>
      <h2 className="h4">{t`What it can do`}</h2>
      <table className="mt-2">
        <tbody>
          {rows.map(([name, has, source, shown]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="small faint wide-only">{source}</td>
              <td className={styles.ability}>
                <StateBadge tier={has ? "good" : "offline"}>{shown}</StateBadge>
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t`Takes`}</th>
            <td className="wide-only" />
            <td className={styles.ability}>{inputs.join(", ") || t`unknown`}</td>
          </tr>
          <tr>
            <th scope="row">{t`Gives`}</th>
            <td className="wide-only" />
            <td className={styles.ability}>{outputs.join(", ") || t`unknown`}</td>
          </tr>
          {languages.length > 0 ? (
            <tr>
              <th scope="row">{t`Languages`}</th>
              <td className="wide-only" />
              <td className={`${styles.ability} user-text`}>{languages.join(", ")}</td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </section>
  );
}
