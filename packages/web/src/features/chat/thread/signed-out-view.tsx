import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { Logo } from "#/components/ui/primitives.tsx";
import { paths } from "#/config/paths.ts";
import { GUIDE_MODEL_ID } from "#/entities/models/default-model.ts";
import styles from "../chat.module.css";
import { modelName } from "../conversation/types.ts";

/** A question to the built-in guide model, and its answer. */
const EXAMPLE = {
  question: "What is a unit?",
  answer:
    "A unit is a share of concurrency, so how much may run for you at the same moment. A model up to 15B takes 1, up to 34B takes 2, above takes 4.",
};

/** Shown to signed-out visitors who asked for no certain model. It is prerendered, so it waits for nothing. */
export function VisitorWelcome() {
  return (
    <div className={styles.welcome}>
      <p className="h2">{t`Talk to open models`}</p>
      <p className="muted mt-3">
        {t`Ask one, or several side by side. What you write goes to the model and is kept in this browser only.`}
      </p>
      <ExampleConversation />
    </div>
  );
}

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
        <div className="prose">
          <p>{EXAMPLE.answer}</p>
        </div>
      </div>
    </section>
  );
}

/** Replaces the composer for signed-out visitors: links to sign up and log in. */
export function SignUpBar({ returnTo }: { returnTo: string }) {
  return (
    <div className={`${styles.compose} ${styles.visitor} row between wrapping`}>
      <p className="muted">{t`To ask something yourself you need an account on this server.`}</p>
      <span className="row">
        <Link className="btn" to={paths.register(returnTo)}>
          {t`Sign up`}
        </Link>
        <Link className="btn primary" to={paths.login(returnTo)}>
          {t`Log in`}
        </Link>
      </span>
    </div>
  );
}
