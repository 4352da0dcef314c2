import { t } from "@lingui/core/macro";
import { useEffect, useId } from "react";
import { useWatch } from "react-hook-form";
import { SegmentedField } from "#/components/ui/controls/segmented-field.tsx";
import { CheckboxField } from "#/components/ui/forms/checkbox-field.tsx";
import { TextareaField } from "#/components/ui/forms/textarea-field.tsx";
import { listErrorMessages, type ValidatedForm } from "#/components/ui/forms/use-validated-form.ts";
import type { ScopeOption } from "../scopes.ts";
import { BudgetFields } from "./budget-fields.tsx";
import { ExpiryFields } from "./expiry-fields.tsx";
import styles from "./key-form.module.css";
import type { KeyFormValues } from "./key-form-values.ts";
import { ModelListField } from "./model-list-field.tsx";
import { ScopeFields } from "./scope-fields.tsx";
import { ShareField } from "./share-field.tsx";

type Props = {
  form: ValidatedForm<KeyFormValues>;
  scopes: readonly ScopeOption[];
  units: number | null;
  now: Date;
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
};

/** A disclosure with all that limits a key: scopes, models, units, budget, expiry, addresses, and its switch. */
export function KeyLimitFields({ form, scopes, units, now, isOpen, setOpen }: Props) {
  const id = useId();
  const { errors } = form.formState;
  return (
    <div className={styles.limits}>
      <button
        type="button"
        className={styles.disclosure}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.arrow} aria-hidden="true" />
        {t`Limits`}
        <span className="small faint">{t`what it may do, how much, how long and from where`}</span>
      </button>
      <div id={id} hidden={!isOpen}>
        <ScopeFields
          options={scopes}
          registered={form.register("scopes")}
          errors={listErrorMessages(asFieldError(errors.scopes))}
        />
        <ModelChoice form={form} />
        <ShareField form={form} units={units} />
        <SegmentedField
          legend={t`When calls wait`}
          options={[
            { value: "interactive", label: t`in turn` },
            { value: "batch", label: t`after all others` },
          ]}
          registered={form.register("priority")}
          errors={listErrorMessages(errors.priority)}
          hint={t`Calls of a batch let others go first, for units and at models that run here.`}
        />
        <BudgetFields form={form} />
        <ExpiryFields form={form} now={now} />
        <TextareaField
          label={t`Only from these addresses`}
          rows={2}
          spellCheck={false}
          autoComplete="off"
          placeholder={t`any address`}
          hint={t`One address or network on each line, such as 203.0.113.7 or 10.0.0.0/8.`}
          errors={listErrorMessages(errors.ip_allowlist)}
          {...form.register("ip_allowlist")}
        />
        <CheckboxField
          label={t`Switched on`}
          hint={t`Requests with a key that is switched off are refused.`}
          errors={listErrorMessages(errors.enabled)}
          {...form.register("enabled")}
        />
      </div>
    </div>
  );
}

function ModelChoice({ form }: { form: ValidatedForm<KeyFormValues> }) {
  const [choice, models, searchText] = useWatch({
    control: form.control,
    name: ["model_choice", "allowed_models", "model_search"],
  });
  const errors = listErrorMessages(asFieldError(form.formState.errors.allowed_models));
  const { clearErrors } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error about the list means nothing after another choice
  useEffect(() => clearErrors("allowed_models"), [choice, clearErrors]);
  return (
    <SegmentedField
      legend={t`Models`}
      options={[
        { value: "all", label: t`all models` },
        { value: "some", label: t`only these` },
      ]}
      registered={form.register("model_choice")}
      errors={choice === "all" ? errors : []}
    >
      {choice === "all" ? null : (
        <ModelListField
          label={t`Models that it may call`}
          value={models}
          onChange={(ids) => {
            form.setValue("allowed_models", ids, { shouldDirty: true });
            form.clearErrors("allowed_models");
          }}
          searchText={searchText}
          onSearch={(text) => {
            form.setValue("model_search", text, { shouldDirty: true });
            form.clearErrors("allowed_models");
          }}
          errors={errors}
        />
      )}
    </SegmentedField>
  );
}

/** The error of a field that holds a list: it is always about the list, because its items have no fields. */
const asFieldError = (error: unknown) => error as { message?: string; types?: Record<string, unknown> } | undefined;
