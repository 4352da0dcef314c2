import { plural, t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { SegmentedField } from "#/components/ui/controls/segmented-field.tsx";
import { Calendar } from "#/components/ui/date-range/calendar.tsx";
import { addDays, isDay, toDay } from "#/components/ui/date-range/days.ts";
import { Field } from "#/components/ui/forms/field.tsx";
import { listErrorMessages, type ValidatedForm } from "#/components/ui/forms/use-validated-form.ts";
import styles from "./key-form.module.css";
import type { KeyFormValues } from "./key-form-values.ts";

type Props = { form: ValidatedForm<KeyFormValues>; now: Date };

/** When a key expires: never, after some days, or on a day. */
export function ExpiryFields({ form, now }: Props) {
  const expiry = useWatch({ control: form.control, name: "expiry" });
  const day = useWatch({ control: form.control, name: "expiry_day" });
  const { errors } = form.formState;
  const today = toDay(now);
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
      hint={expiry === "30" || expiry === "90" ? t`On ${addDays(today, Number(expiry))}.` : undefined}
    >
      {expiry === "day" ? (
        <div className={styles.day}>
          <Field
            label={t`Day`}
            inputMode="numeric"
            autoComplete="off"
            placeholder={addDays(today, 30)}
            maxLength={10}
            errors={listErrorMessages(errors.expiry_day)}
            hint={t`It ends when this day begins in UTC.`}
            {...form.register("expiry_day")}
          />
          <div className="mt-3">
            <Calendar
              range={{ from: isDay(day) ? day : "", to: "" }}
              today={today}
              min={addDays(today, 1)}
              onSelect={(chosen) => form.setValue("expiry_day", chosen, { shouldDirty: true, shouldValidate: true })}
            />
          </div>
        </div>
      ) : null}
    </SegmentedField>
  );
}
