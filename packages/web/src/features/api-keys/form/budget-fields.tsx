import { t } from "@lingui/core/macro";
import { useWatch } from "react-hook-form";
import { SegmentedField } from "#/components/ui/controls/segmented-field.tsx";
import { Field } from "#/components/ui/forms/field.tsx";
import { listErrorMessages, type ValidatedForm } from "#/components/ui/forms/use-validated-form.ts";
import styles from "./key-form.module.css";
import type { KeyFormValues } from "./key-form-values.ts";

/** The budget of a key in dollars, and how often it starts anew. */
export function BudgetFields({ form }: { form: ValidatedForm<KeyFormValues> }) {
  const budget = useWatch({ control: form.control, name: "spend_limit" });
  const { errors } = form.formState;
  return (
    <div className={styles.group}>
      <Field
        label={t`Budget in dollars`}
        inputMode="decimal"
        autoComplete="off"
        placeholder={t`no limit`}
        errors={listErrorMessages(errors.spend_limit)}
        hint={t`The most it may spend on calls that are paid from credits.`}
        {...form.register("spend_limit")}
      />
      {budget.trim() === "" ? null : (
        <SegmentedField
          legend={t`The budget is for`}
          options={[
            { value: "day", label: t`each day` },
            { value: "week", label: t`each week` },
            { value: "month", label: t`each month` },
            { value: "none", label: t`all time` },
          ]}
          registered={form.register("limit_reset")}
          errors={listErrorMessages(errors.limit_reset)}
          hint={t`Days begin at midnight UTC, weeks on Monday.`}
        />
      )}
    </div>
  );
}
