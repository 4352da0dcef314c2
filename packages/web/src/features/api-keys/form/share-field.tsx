import { plural, t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { SegmentedField } from "#/components/ui/controls/segmented-field.tsx";
import { Slider } from "#/components/ui/controls/slider.tsx";
import { Field } from "#/components/ui/forms/field.tsx";
import { listErrorMessages, type ValidatedForm } from "#/components/ui/forms/use-validated-form.ts";
import { describeShare } from "../describe-limits.ts";
import type { KeyFormValues } from "./key-form-values.ts";
import styles from "./share-field.module.css";

/** The most units that are drawn as one barb each. */
const MAX_BARBS = 16;

type Props = {
  form: ValidatedForm<KeyFormValues>;
  /** Number of units of the plan; null for no limit. */
  units: number | null;
};

/** Chooses how many units a key may hold at once: all of the plan, or a number drawn as barbs. */
export function ShareField({ form, units }: Props) {
  const [choice, count] = useWatch({ control: form.control, name: ["share_choice", "max_concurrency"] });
  const errors = listErrorMessages(form.formState.errors.max_concurrency);
  const value = Number(count);
  const hasBarbs = units !== null && units > 1 && units <= MAX_BARBS && value <= units;
  return (
    <SegmentedField
      legend={t`Share of the units`}
      options={[
        { value: "plan", label: t`as many as the plan has` },
        { value: "some", label: t`at most` },
      ]}
      registered={form.register("share_choice")}
      errors={choice === "some" && hasBarbs ? errors : []}
      hint={
        choice === "plan"
          ? units === null
            ? t`The plan has no limit of units.`
            : plural(units, { one: "The plan has # unit.", other: "The plan has # units." })
          : t`A request holds units of the plan while it runs, and waits or is refused where the key has none left.`
      }
    >
      {choice === "plan" ? null : hasBarbs ? (
        <div className={styles.slider}>
          <div className={styles.face}>
            <Slider
              min={1}
              max={units}
              value={value}
              aria-label={t`Units at once`}
              valueText={describeShare(value, units)}
              onChange={(next) => form.setValue("max_concurrency", String(next), { shouldDirty: true })}
            >
              <span className={styles.barbs}>
                {Array.from({ length: units }, (_, index) => index + 1).map((unit) => (
                  <i key={unit} className={unit <= value ? styles.on : undefined} />
                ))}
              </span>
            </Slider>
          </div>
          <span className={`num ${styles.count}`} aria-hidden="true">
            {describeShare(value, units)}
          </span>
        </div>
      ) : (
        <div className={styles.number}>
          <Field label={t`Units at once`} inputMode="numeric" errors={errors} {...form.register("max_concurrency")} />
        </div>
      )}
    </SegmentedField>
  );
}
