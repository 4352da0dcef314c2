import { zodResolver } from "@hookform/resolvers/zod";
import { plural, t } from "@lingui/core/macro";
import { type ReactNode, useEffect, useState } from "react";
import { Field } from "#/components/ui/field.tsx";
import { errorMessages, useValidatedForm } from "#/components/ui/use-validated-form.ts";
import { faultText } from "#/features/private-cloud/faults.ts";
import { feather } from "#/lib/feather.ts";
import { size } from "#/lib/format.ts";
import { type AddDraft, addRules, brokenRules, EMPTY_ADD, fieldOfFault, ruleLines } from "./add-rules.ts";
import type { Compatibility } from "./queries.ts";
import { RuleList } from "./rule-list.tsx";

type Props = {
  /** The repository id in the page's address. */
  id: string;
  load(draft: AddDraft): Promise<void>;
  cancel: ReactNode;
};

/** The form that adds a model: it checks a repository against six rules, and loads it only if all are met. */
export function AddForm({ id, load, cancel }: Props) {
  const form = useValidatedForm<AddDraft>({ resolver: zodResolver(addRules), initial: { ...EMPTY_ADD, id } });
  const [checks, setChecks] = useState<Compatibility["checks"] | null>(null);
  const [found, setFound] = useState<Compatibility | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState<"checking" | "loading" | null>(null);
  const draft = form.watch();
  // A result is only valid for the repository and token that were checked.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    setFound(null);
    setChecks(null);
  }, [draft.id, draft.token]);

  /** Runs one of the two requests, and shows its error at the field that it names. */
  async function attempt(what: "checking" | "loading", call: () => Promise<void>): Promise<void> {
    setBusy(what);
    setFault(null);
    try {
      await call();
    } catch (error) {
      const field = fieldOfFault(error);
      const broken = brokenRules(error);
      if (broken) setChecks(broken);
      if (field) form.setError(field, { type: "server", message: faultText(error) }, { shouldFocus: true });
      else setFault(faultText(error));
    } finally {
      setBusy(null);
    }
  }

  const check = ({ id, token }: AddDraft) =>
    attempt("checking", async () => {
      setFound(null);
      setChecks(null);
      const result = await feather.privateModels.compatibility(
        id.trim(),
        token.trim() === "" ? {} : { headers: { "x-hub-token": token.trim() } },
      );
      setFound(result);
      setChecks(result.checks);
    });
  const compatible = found?.compatible === true;
  const send = (values: AddDraft) => (compatible ? attempt("loading", () => load(values)) : check(values));

  return (
    <form className="add-model" onSubmit={form.handleSubmit(send)} noValidate aria-label={t`Add a model`}>
      <div>
        {fault ? (
          <p className="notice mb-4" role="alert">
            {fault}
          </p>
        ) : null}
        <Field
          label={t`Repository`}
          placeholder="owner/name"
          autoComplete="off"
          spellCheck={false}
          hint={t`As the model hub calls it.`}
          errors={errorMessages(form.formState.errors.id)}
          {...form.register("id")}
        />
        <Field
          label={t`Revision (optional)`}
          placeholder="main"
          autoComplete="off"
          spellCheck={false}
          hint={t`A branch, tag or commit.`}
          errors={errorMessages(form.formState.errors.revision)}
          {...form.register("revision")}
        />
        <Field
          label={t`Token of the hub (optional)`}
          type="password"
          autoComplete="off"
          hint={t`For repositories that are private or gated. It is used for this download and forgotten when it ends.`}
          errors={errorMessages(form.formState.errors.token)}
          {...form.register("token")}
        />
        <div className="row mt-6">
          <button type="submit" className="btn primary" disabled={busy !== null} aria-busy={busy !== null}>
            {busy === "checking"
              ? t`Checking …`
              : busy === "loading"
                ? t`One moment …`
                : compatible
                  ? t`Load ${draft.id.trim()}`
                  : t`Check it`}
          </button>
          {cancel}
        </div>
      </div>
      <div>
        <h3 className="h4 mb-3">{t`Checked before anything is loaded`}</h3>
        <RuleList lines={ruleLines(checks, busy === "checking")} />
        <p className="small mid mt-3" role="status">
          {checks ? verdict(checks, found) : ""}
        </p>
      </div>
    </form>
  );
}

function verdict(checks: Compatibility["checks"], found: Compatibility | null): string {
  const broken = checks.filter(({ ok }) => !ok).length;
  if (broken > 0) return plural(broken, { one: "One rule is not met.", other: "# rules are not met." });
  const { architecture, parameter_size, dtype } = found?.detected ?? {};
  const facts = [
    architecture,
    parameter_size == null ? null : t`${size(parameter_size)} parameters`,
    dtype,
    found?.model_class ? t`class ${found.model_class}` : null,
  ].filter(Boolean);
  return t`All rules are met. ${facts.join(" · ")}`;
}
