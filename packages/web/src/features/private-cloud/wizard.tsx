import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { modelQuery } from "#/features/catalogue/queries.ts";
import { tabStorage } from "#/lib/storage.ts";
import { type DraftForm, placeFaults, useDraftForm } from "./draft-form.ts";
import { forgetDraft, keepDraft, readDraft } from "./draft-store.ts";
import { faultText } from "./faults.ts";
import { ManifestPanel } from "./manifest-panel.tsx";
import { ModelStep } from "./model-step.tsx";
import { ProviderStep, takeProvider } from "./provider-step.tsx";
import { providersQuery } from "./queries.ts";
import { ReviewStep } from "./review-step.tsx";
import { TokenDialog } from "./secret-dialogs.tsx";
import { NameField, RunFields, ScaleFields } from "./setting-fields.tsx";
import { bodyOf, type Draft, nameFor } from "./settings.ts";
import { useCreate } from "./use-create.ts";
import { STEPS, type StepId, stepAt, stepOf } from "./wizard-steps.ts";

/** Creates a deployment step by step, with the resulting manifest beside it. */
export function Wizard() {
  const [params, setParams] = useSearchParams();
  const form = useDraftForm(useInitial(params.get("model")));
  const draft = form.watch();
  useKept(draft);
  useUsualProvider(form);
  const index = stepAt(params.get("step"), draft);
  const step = STEPS[index] ?? STEPS[0];
  const open = (id: StepId) => setParams({ step: id });
  const { fault, created, busy, next, close } = useSteps(form, index, open);
  const last = step.id === "review";

  return (
    <div className="wizard">
      <div>
        <StepList index={index} open={open} />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void next();
          }}
          noValidate
        >
          <StepTitle index={index} />
          {fault ? <Fault {...fault} /> : null}
          <StepBody step={step.id} form={form} draft={draft} open={open} />
          <div className="row mt-6">
            {index > 0 ? (
              <button type="button" className="btn" onClick={() => open(STEPS[index - 1]?.id ?? "model")}>
                {t`Back`}
              </button>
            ) : null}
            <button type="submit" className="btn primary" disabled={busy} aria-busy={busy}>
              {busy ? t`One moment …` : last ? t`Create ${draft.name}` : t`Continue`}
            </button>
          </div>
        </form>
      </div>
      <aside aria-labelledby="manifest">
        <h2 className="h4 mb-3" id="manifest">
          {t`The same as a file`}
        </h2>
        <ManifestPanel body={bodyOf(draft)} />
      </aside>
      <TokenDialog name={created?.name ?? ""} url={created?.url ?? null} token={created?.token ?? null} close={close} />
    </div>
  );
}

type FaultWords = { text: string; notOnPlan: boolean };

/** Validates each step before the next one opens, and creates the deployment after the last. */
function useSteps(form: DraftForm, index: number, open: (step: StepId) => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useCreate();
  const [fault, setFault] = useState<FaultWords | null>(null);
  const [busy, setBusy] = useState(false);
  const [created, setCreated] = useState<Awaited<ReturnType<typeof create>> | null>(null);
  useEffect(() => setFault((current) => (index === STEPS.length - 1 ? current : null)), [index]);

  /** Whether the model exists on this server; shows an error otherwise. */
  async function isModel(): Promise<boolean> {
    const id = form.getValues("model_id").trim();
    try {
      const model = await client.fetchQuery(modelQuery(id));
      form.setValue("model_id", model.id);
      return true;
    } catch (error) {
      if (isApiError(error) && error.status === 404)
        form.setError("model_id", { type: "server", message: t`Model is not valid: ${error.message}` });
      else setFault({ text: faultText(error), notOnPlan: false });
      return false;
    }
  }

  async function send(): Promise<void> {
    try {
      setCreated(await create(bodyOf(form.getValues())));
      forgetDraft(tabStorage);
    } catch (error) {
      const { fields, text } = placeFaults(form, error);
      const [first] = fields;
      if (first) open(stepOf(first));
      if (text) setFault({ text, notOnPlan: isApiError(error) && error.code === "deployments.not_on_plan" });
    }
  }

  async function next(): Promise<void> {
    if (busy) return;
    setFault(null);
    setBusy(true);
    const step = STEPS[index] ?? STEPS[0];
    await (step.id === "review" ? send() : goOn(step));
    setBusy(false);
  }

  async function goOn(step: (typeof STEPS)[number]): Promise<void> {
    if (!(await form.trigger([...step.fields], { shouldFocus: true }))) return;
    if (step.id === "model") {
      if (!(await isModel())) return;
      if (form.getValues("name") === "") form.setValue("name", nameFor(form.getValues("model_id")));
    }
    open(STEPS[index + 1]?.id ?? "review");
  }

  return { fault, created, busy, next, close: () => created && navigate(paths.deployment(created.id)) };
}

function StepBody({
  step,
  form,
  draft,
  open,
}: {
  step: StepId;
  form: DraftForm;
  draft: Draft;
  open(step: StepId): void;
}) {
  if (step === "model") return <ModelStep form={form} />;
  if (step === "provider") return <ProviderStep form={form} />;
  if (step === "review") return <ReviewStep body={bodyOf(draft)} open={open} />;
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

function StepList({ index, open }: { index: number; open(step: StepId): void }) {
  return (
    <ol className="wizard-steps small" aria-label={t`Steps`}>
      {STEPS.map(({ id, name }, place) => (
        <li key={id} className={place < index ? "done" : place === index ? "now" : ""}>
          {place < index ? (
            <button type="button" onClick={() => open(id)}>
              {name}
              <span className="visually-hidden">{t`, done`}</span>
            </button>
          ) : (
            <span aria-current={place === index ? "step" : undefined}>{name}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The title of a step. It is announced when the step changes, but not on page load. */
function StepTitle({ index }: { index: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(index);
  useEffect(() => {
    if (before.current !== index) heading.current?.focus();
    before.current = index;
  }, [index]);
  return (
    <h2 className="h3 mb-4" tabIndex={-1} ref={heading}>
      {STEPS[index]?.title}
    </h2>
  );
}

function Fault({ text, notOnPlan }: FaultWords) {
  return (
    <p className="notice mb-4" role="alert">
      {text}{" "}
      {notOnPlan ? (
        <Link className="link" to={paths.pricing}>
          {t`See the plans`}
        </Link>
      ) : null}
    </p>
  );
}

/** Returns the draft stored in this tab; a model in the URL takes precedence. */
function useInitial(model: string | null): Draft {
  const [initial] = useState(() => {
    const kept = readDraft(tabStorage);
    return model === null ? kept : { ...kept, model_id: model, name: nameFor(model) };
  });
  return initial;
}

function useKept(draft: Draft): void {
  const text = JSON.stringify(draft);
  useEffect(() => keepDraft(tabStorage, JSON.parse(text) as Draft), [text]);
}

/** Selects the provider if only one is available. */
function useUsualProvider(form: DraftForm): void {
  const { data } = useQuery(providersQuery);
  const available = data?.filter(({ available }) => available) ?? [];
  const only = available.length === 1 ? available[0] : undefined;
  useEffect(() => {
    if (only && form.getValues("provider_id") === "") takeProvider(form, only);
  }, [form, only]);
}
