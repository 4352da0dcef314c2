import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Logo } from "#/components/ui/labels/logo.tsx";
import { GUIDE_MODEL_ID } from "#/entities/models/default-model.ts";
import styles from "../chat.module.css";
import { modelName } from "../conversation/types.ts";

/** A question to the built-in guide model, and its answer. */
const EXAMPLE = {
  question: "What is a unit?",
  answer:
    "A unit is a share of concurrency, so how much may run for you at the same moment. A model up to 15B takes 1, up to 34B takes 2, above takes 4.",
};

/** An example conversation for signed-out visitors. */
export function ExampleConversation() {
  return (
    <section className={styles.example} aria-label={t`An example`}>
      <p className="label">
        <Trans>An example, asked of {GUIDE_MODEL_ID}</Trans>
      </p>
      <div className={styles.you}>
        <p className={styles.said}>{EXAMPLE.question}</p>
      </div>
      <div className={styles.answer}>
        <p className={styles.who}>
          <span className={styles.mark}>
            <Logo size={18} />
          </span>
          {modelName(GUIDE_MODEL_ID)}
        </p>
        <div className={`prose ${styles.written}`}>
          <p>{EXAMPLE.answer}</p>
        </div>
      </div>
    </section>
  );
}
