import type { Compatibility } from "@feather/sdk";
import { zodResolver } from "@hookform/resolvers/zod";
import { plural, t } from "@lingui/core/macro";
import { type ReactNode, useEffect, useState } from "react";
import { Field } from "#/components/ui/forms/field.tsx";
import { listErrorMessages, useValidatedForm } from "#/components/ui/forms/use-validated-form.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { formatParameterCount } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./add-model-form.module.css";
import {
  type AddModelValues,
  addModelSchema,
  EMPTY_VALUES,
  getBrokenRules,
  listAddModelErrors,
  toRuleResults,
} from "./compatibility-rules.ts";
import { RuleList } from "./rule-list.tsx";

type Props = {
  /** The repository id in the page's address. */
  id: string;
  load(draft: AddModelValues): Promise<void>;
  cancel: ReactNode;
};

/** The form that adds a model: it checks a repository against six rules, and loads it only if all are met. */
export function AddModelForm({ id, load, cancel }: Props) {
  const form = useValidatedForm<AddModelValues>({
    resolver: zodResolver(addModelSchema),
    initial: { ...EMPTY_VALUES, id },
  });
  const [checks, setChecks] = useState<Compatibility["checks"] | null>(null);
  const [compatibility, setCompatibility] = useState<Compatibility | null>(null);
  const [errorText, setErrorText] = useState<string | null>(null);
  const draft = form.watch();
  const { isSubmitting } = form.formState;
  // A result is only valid for the repository and token that were checked.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    setCompatibility(null);
    setChecks(null);
  }, [draft.id, draft.token]);

  const check = useAction(
    ({ id, token }: AddModelValues) =>
      feather.privateModels.compatibility(
        id.trim(),
        token.trim() === "" ? {} : { headers: { "x-hub-token": token.trim() } },
      ),
    {
      onSuccess(result) {
        setCompatibility(result);
        setChecks(result.checks);
      },
    },
  );
  const isCompatible = compatibility?.compatible === true;

  async function send(values: AddModelValues): Promise<void> {
    setErrorText(null);
    try {
      await (isCompatible ? load(values) : check.submit(values));
    } catch (error) {
      const broken = getBrokenRules(error);
      if (broken) setChecks(broken);
      const fieldErrors = listAddModelErrors(error);
      for (const { field, message } of fieldErrors)
        form.setError(field, { type: "server", message }, { shouldFocus: true });
      if (fieldErrors.length === 0) setErrorText(errorMessage(error));
    }
  }

  return (
    <form className={styles.addModel} onSubmit={form.handleSubmit(send)} noValidate aria-label={t`Add a model`}>
      <div>
        {errorText ? (
          <p className="notice mb-4" role="alert">
            {errorText}
          </p>
        ) : null}
        <Field
          label={t`Repository`}
          placeholder="owner/name"
          autoComplete="off"
          spellCheck={false}
          hint={t`As the model hub calls it.`}
          errors={listErrorMessages(form.formState.errors.id)}
          {...form.register("id")}
        />
        <Field
          label={t`Revision (optional)`}
          placeholder="main"
          autoComplete="off"
          spellCheck={false}
          hint={t`A branch, tag or commit.`}
          errors={listErrorMessages(form.formState.errors.revision)}
          {...form.register("revision")}
        />
        <Field
          label={t`Token of the hub (optional)`}
          type="password"
          autoComplete="off"
          hint={t`For repositories that are private or gated. It is used for this download and forgotten when it ends.`}
          errors={listErrorMessages(form.formState.errors.token)}
          {...form.register("token")}
        />
        <div className="row mt-6">
          <button type="submit" className="btn primary" disabled={isSubmitting} aria-busy={isSubmitting}>
            {check.busy
              ? t`Checking …`
              : isSubmitting
                ? t`Please wait …`
                : isCompatible
                  ? t`Load ${draft.id.trim()}`
                  : t`Check it`}
          </button>
          {cancel}
        </div>
      </div>
      <div>
        <h3 className="h4 mb-3">{t`Checked before anything is loaded`}</h3>
        <RuleList results={toRuleResults(checks, check.busy)} />
        <p className="small muted mt-3" role="status">
          {checks ? describeResult(checks, compatibility) : ""}
        </p>
      </div>
    </form>
  );
}

function describeResult(checks: Compatibility["checks"], compatibility: Compatibility | null): string {
  const broken = checks.filter(({ ok }) => !ok).length;
  if (broken > 0) return plural(broken, { one: "One rule is not met.", other: "# rules are not met." });
  const { architecture, parameter_size, dtype } = compatibility?.detected ?? {};
  const facts = [
    architecture,
    parameter_size == null ? null : t`${formatParameterCount(parameter_size)} parameters`,
    dtype,
    compatibility?.model_class ? t`class ${compatibility.model_class}` : null,
  ].filter(Boolean);
  return t`All rules are met. ${facts.join(" · ")}`;
}
