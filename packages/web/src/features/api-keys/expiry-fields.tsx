import { plural, t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { Field } from "#/components/ui/field.tsx";
import { SegmentedField } from "#/components/ui/segmented-field.tsx";
import { listErrorMessages, type ValidatedForm } from "#/components/ui/use-validated-form.ts";
import { formatIsoDay } from "#/lib/format.ts";
import { DAY_MS } from "#/lib/time.ts";
import styles from "./key-form.module.css";
import type { KeyFormValues } from "./key-form-values.ts";

type Props = { form: ValidatedForm<KeyFormValues>; now: Date };

/** When a key expires: never, after some days, or on a day. */
export function ExpiryFields({ form, now }: Props) {
  const expiry = useWatch({ control: form.control, name: "expiry" });
  const { errors } = form.formState;
  const inDays = (days: number) => plural(days, { one: "in # day", other: "in # days" });
  return (
    <SegmentedField
      legend={t`It expires`}
      options={[
        { value: "never", label: t`never` },
        { value: "30", label: inDays(30) },
        { value: "90", label: inDays(90) },
        { value: "day", label: t`on a day` },
      ]}
      registered={form.register("expiry")}
      errors={listErrorMessages(errors.expiry)}
      hint={expiry === "30" || expiry === "90" ? t`On ${formatIsoDay(addDays(now, Number(expiry)))}.` : undefined}
    >
      {expiry === "day" ? (
        <div className={styles.day}>
          <Field
            label={t`Day`}
            inputMode="numeric"
            autoComplete="off"
            placeholder={formatIsoDay(addDays(now, 30))}
            maxLength={10}
            errors={listErrorMessages(errors.expiry_day)}
            hint={t`It ends when this day begins in UTC.`}
            {...form.register("expiry_day")}
          />
        </div>
      ) : null}
    </SegmentedField>
  );
}

const addDays = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS);
