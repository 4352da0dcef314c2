import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import catalogueStyles from "../catalogue.module.css";
import styles from "./files.module.css";
import { estimateWeightSizes } from "./weight-sizes.ts";

/** The owner of models that come with the platform, which are not on Hugging Face. */
const BUILT_IN_OWNER = "feather";

/** The memory that a model's weights take, and a link to its files. */
export function Files({ model }: { model: Model }) {
  const { id, owned_by: owner, parameter_size: parameters } = model;
  if (parameters === null && owner === BUILT_IN_OWNER) return null;
  return (
    <section className={catalogueStyles.modelSection}>
      <div className="row between wrapping">
        <h2 className="h4">{t`Files and memory`}</h2>
        {owner === BUILT_IN_OWNER ? null : (
          <a className="link small" href={`https://huggingface.co/${id}/tree/main`} rel="noopener noreferrer">
            {t`Files on Hugging Face`}
          </a>
        )}
      </div>
      {parameters === null ? (
        <p className="muted mt-2">{t`Its size is unknown here.`}</p>
      ) : (
        <>
          <dl className={`${styles.sizes} mt-3`}>
            {estimateWeightSizes(parameters).map(({ format, size }) => (
              <div key={format}>
                <dt className="label">{format}</dt>
                <dd className="num">{size}</dd>
              </div>
            ))}
          </dl>
          <p className="small faint mt-2">{t`What the weights take in memory, from their number. Context comes on top.`}</p>
        </>
      )}
    </section>
  );
}
