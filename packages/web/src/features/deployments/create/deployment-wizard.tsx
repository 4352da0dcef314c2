import type { DeploymentCreate, DeploymentWithToken } from "@feather/sdk";
import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { modelQuery } from "#/entities/models/queries.ts";
import { tabStorage } from "#/lib/browser/storage.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { type DeploymentDraft, suggestName, toDeploymentBody } from "../form/draft.ts";
import { type DraftForm, setServerErrors, useDraftForm } from "../form/draft-form.ts";
import { clearDraft, readDraft, saveDraft } from "../form/draft-store.ts";
import { NameField } from "../form/name-field.tsx";
import { RunFields } from "../form/run-fields.tsx";
import { ScaleFields } from "../form/scale-fields.tsx";
import { ManifestPanel } from "../manifest-panel.tsx";
import { providersQuery } from "../queries.ts";
import { TokenDialog } from "../token-dialog.tsx";
import styles from "./deployment-wizard.module.css";
import { ModelStep } from "./model-step.tsx";
import { ProviderStep, selectProvider } from "./provider-step.tsx";
import { ReviewStep } from "./review-step.tsx";
import { readStep, type StepId, stepOfField, WIZARD_STEPS } from "./wizard-steps.ts";

/** Creates a deployment step by step, and shows the resulting manifest. */
export function DeploymentWizard() {
  const [params, setParams] = useSearchParams();
  const form = useDraftForm(useInitialDraft(params.get("model")));
  const draft = form.watch();
  useStoredDraft(draft);
  useDefaultProvider(form);
  const index = readStep(params.get("step"), draft);
  const step = WIZARD_STEPS[index] ?? WIZARD_STEPS[0];
  const openStep = (id: StepId) => setParams({ step: id });
  const { stepError, created, busy, next, close } = useWizardNavigation(form, index, openStep);
  const isReview = step.id === "review";

  return (
    <div className={styles.wizard}>
      <div>
        <StepList index={index} openStep={openStep} />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void next();
          }}
          noValidate
        >
          <StepTitle index={index} />
          {stepError ? <WizardErrorNotice {...stepError} /> : null}
          <StepBody step={step.id} form={form} draft={draft} openStep={openStep} />
          <div className="row mt-6">
            {index > 0 ? (
              <button type="button" className="btn" onClick={() => openStep(WIZARD_STEPS[index - 1]?.id ?? "model")}>
                {t`Back`}
              </button>
            ) : null}
            <button type="submit" className="btn primary" disabled={busy} aria-busy={busy}>
              {busy ? t`Please wait …` : isReview ? t`Create ${draft.name}` : t`Continue`}
            </button>
          </div>
        </form>
      </div>
      <aside aria-labelledby="manifest">
        <h2 className="h4 mb-3" id="manifest">
          {t`The same as a file`}
        </h2>
        <ManifestPanel body={toDeploymentBody(draft)} />
      </aside>
      <TokenDialog name={created?.name ?? ""} url={created?.url ?? null} token={created?.token ?? null} close={close} />
    </div>
  );
}

type WizardError = { message: string; isNotOnPlan: boolean };

/** Validates each step before the next one opens, and creates the deployment after the last. */
function useWizardNavigation(form: DraftForm, index: number, openStep: (step: StepId) => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const creation = useAction((body: DeploymentCreate, options) => feather.deployments.create(body, options), {
    invalidates: [queries.deployments.list.key()],
  });
  const [stepError, setStepError] = useState<WizardError | null>(null);
  const [created, setCreated] = useState<DeploymentWithToken | null>(null);
  useEffect(() => setStepError((current) => (index === WIZARD_STEPS.length - 1 ? current : null)), [index]);

  /** Whether the model exists on this server; shows an error otherwise. */
  async function validateModel(): Promise<boolean> {
    const id = form.getValues("model_id").trim();
    try {
      const model = await client.fetchQuery(modelQuery(id));
      form.setValue("model_id", model.id);
      return true;
    } catch (error) {
      if (isApiError(error) && error.status === 404)
        form.setError("model_id", { type: "server", message: t`Model is not valid: ${error.message}` });
      else setStepError({ message: errorMessage(error), isNotOnPlan: false });
      return false;
    }
  }

  async function createDeployment(): Promise<void> {
    try {
      setCreated(await creation.submit(toDeploymentBody(form.getValues())));
      clearDraft(tabStorage);
    } catch (error) {
      const { fields, message } = setServerErrors(form, error);
      const [first] = fields;
      if (first) openStep(stepOfField(first));
      if (message)
        setStepError({ message, isNotOnPlan: isApiError(error) && error.code === "deployments.not_on_plan" });
    }
  }

  async function continueFrom(step: (typeof WIZARD_STEPS)[number]): Promise<void> {
    if (!(await form.trigger([...step.fields], { shouldFocus: true }))) return;
    if (step.id === "model") {
      if (!(await validateModel())) return;
      if (form.getValues("name") === "") form.setValue("name", suggestName(form.getValues("model_id")));
    }
    openStep(WIZARD_STEPS[index + 1]?.id ?? "review");
  }

  const advance = useAction(async (): Promise<void> => {
    setStepError(null);
    const step = WIZARD_STEPS[index] ?? WIZARD_STEPS[0];
    await (step.id === "review" ? createDeployment() : continueFrom(step));
  });

  const close = () => created && navigate(paths.deployment(created.id));
  return { stepError, created, busy: advance.busy, next: () => advance.run(), close };
}

function StepBody({
  step,
  form,
  draft,
  openStep,
}: {
  step: StepId;
  form: DraftForm;
  draft: DeploymentDraft;
  openStep(step: StepId): void;
}) {
  if (step === "model") return <ModelStep form={form} />;
  if (step === "provider") return <ProviderStep form={form} />;
  if (step === "review") return <ReviewStep body={toDeploymentBody(draft)} openStep={openStep} />;
  return (
    <>
      <NameField form={form} />
      <div className="mt-4">
        <ScaleFields form={form} />
      </div>
      <div className="mt-4">
        <RunFields form={form} />
      </div>
    </>
  );
}

function StepList({ index, openStep }: { index: number; openStep(step: StepId): void }) {
  return (
    <ol className={`${styles.wizardSteps} small`} aria-label={t`Steps`}>
      {WIZARD_STEPS.map(({ id, name }, stepIndex) => (
        <li key={id} className={stepIndex < index ? "done" : stepIndex === index ? "now" : ""}>
          {stepIndex < index ? (
            <button type="button" onClick={() => openStep(id)}>
              {name}
              <span className="visually-hidden">{t`, done`}</span>
            </button>
          ) : (
            <span aria-current={stepIndex === index ? "step" : undefined}>{name}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The title of a step. It is announced when the step changes, but not on page load. */
function StepTitle({ index }: { index: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const previous = useRef(index);
  useEffect(() => {
    if (previous.current !== index) heading.current?.focus();
    previous.current = index;
  }, [index]);
  return (
    <h2 className="h3 mb-4" tabIndex={-1} ref={heading}>
      {WIZARD_STEPS[index]?.title}
    </h2>
  );
}

function WizardErrorNotice({ message, isNotOnPlan }: WizardError) {
  return (
    <p className="notice mb-4" role="alert">
      {message}{" "}
      {isNotOnPlan ? (
        <Link className="link" to={paths.pricing}>
          {t`See the plans`}
        </Link>
      ) : null}
    </p>
  );
}

/** Returns the draft stored in this tab; a model in the URL takes precedence. */
function useInitialDraft(model: string | null): DeploymentDraft {
  const [initial] = useState(() => {
    const stored = readDraft(tabStorage);
    return model === null ? stored : { ...stored, model_id: model, name: suggestName(model) };
  });
  return initial;
}

function useStoredDraft(draft: DeploymentDraft): void {
  const text = JSON.stringify(draft);
  useEffect(() => saveDraft(tabStorage, JSON.parse(text) as DeploymentDraft), [text]);
}

/** Selects the provider if only one is available. */
function useDefaultProvider(form: DraftForm): void {
  const { data } = useQuery(providersQuery);
  const available = data?.filter(({ available }) => available) ?? [];
  const onlyProvider = available.length === 1 ? available[0] : undefined;
  useEffect(() => {
    if (onlyProvider && form.getValues("provider_id") === "") selectProvider(form, onlyProvider);
  }, [form, onlyProvider]);
}
