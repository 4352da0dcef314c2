import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CheckboxField } from "#/components/ui/forms/checkbox-field.tsx";
import { Field } from "#/components/ui/forms/field.tsx";
import { canSleep } from "./draft.ts";
import type { DraftForm } from "./draft-form.ts";
import { registerDraftField } from "./register-draft-field.ts";
import styles from "./scale-fields.module.css";

type Props = { form: DraftForm };

/** Fields of replicas, sleeping and autoscaling. */
export function ScaleFields({ form }: Props) {
  const { sleeps, min_replicas } = form.watch();
  const isSleepAllowed = canSleep({ min_replicas });
  return (
    <>
      <div className={styles.pair}>
        <Field label={t`Replicas, at least`} inputMode="numeric" {...registerDraftField(form, "min_replicas")} />
        <Field label={t`At most`} inputMode="numeric" {...registerDraftField(form, "max_replicas")} />
      </div>
      {isSleepAllowed ? (
        <>
          <CheckboxField
            label={t`Sleep when nobody asks`}
            hint={t`The next call wakes it, and waits until it answers.`}
            {...registerDraftField(form, "sleeps")}
          />
          {sleeps ? (
            <Field
              label={t`Minutes without a request until it sleeps`}
              inputMode="decimal"
              {...registerDraftField(form, "sleep_minutes")}
            />
          ) : null}
        </>
      ) : (
        <p className="hint small faint mt-3">
          <Trans>It never sleeps: at least {min_replicas} always runs.</Trans>
        </p>
      )}
      <Field
        label={t`Requests at a time for one replica`}
        inputMode="decimal"
        hint={t`With more than this, another replica starts, up to the most.`}
        {...registerDraftField(form, "target")}
      />
    </>
  );
}
