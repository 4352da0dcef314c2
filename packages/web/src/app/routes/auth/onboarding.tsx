import type { User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { getDefaultModel } from "#/entities/models/default-model.ts";
import { modelsQuery } from "#/entities/models/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { CallStep } from "#/features/onboarding/call-step.tsx";
import { ChatStep } from "#/features/onboarding/chat-step.tsx";
import { KeyStep } from "#/features/onboarding/key-step.tsx";
import {
  createProgress,
  getCurrentStep,
  getNextStep,
  listSteps,
  type Step,
  type UseCase,
} from "#/features/onboarding/steps.ts";
import { UseCaseStep } from "#/features/onboarding/use-case-step.tsx";
import styles from "./onboarding.module.css";

const STEP_LABELS: Record<Step, string> = { use: t`What for`, key: "Key", call: t`First call`, chat: t`First chat` };

const warmModelsQuery = modelsQuery({ availability: "warm", perPage: 100 });

/** The steps for a new account: purpose, API key, first call and first chat. */
export default function OnboardingPage() {
  const { user } = useUser();
  return user ? <Onboarding key={user.id} user={user} /> : null;
}

function Onboarding({ user }: { user: User }) {
  const [params, setParams] = useSearchParams();
  const [progress, setProgress] = useState(() => createProgress(user.id).read());
  const [secret, setSecret] = useState<string | null>(null);
  const warm = useQuery(warmModelsQuery);
  const { use, step } = getCurrentStep(params, progress);
  const model = getDefaultModel(warm.data?.items ?? []);

  function saveProgress(next: { use: UseCase | null; step: Step; done: boolean }): void {
    setProgress(next);
    createProgress(user.id).write(next);
  }

  function goToStep(to: Step, chosen: UseCase | null = use): void {
    saveProgress({ use: chosen, step: to, done: false });
    setParams({ step: to, ...(chosen && { use: chosen }) });
  }

  const next = () => goToStep(getNextStep(step, use) ?? "chat");
  const finish = () => saveProgress({ use, step: "use", done: true });
  return (
    <div className={`page-width ${styles.onboarding}`}>
      <div className="row between wrapping">
        <h1 className="h2 user-text">
          <Trans>
            Welcome, <bdi>{user.name}</bdi>
          </Trans>
        </h1>
        <Link className="plain" to={paths.models()} onClick={finish}>
          {t`Skip this`}
        </Link>
      </div>
      {progress.done ? (
        <p className="muted mt-2">{t`You have been here before. It can be gone through again.`}</p>
      ) : null}
      <div className={`${styles.onboardingBody} mt-6`}>
        <Progress steps={listSteps(use)} step={step} canNavigate={use !== null} go={goToStep} />
        <div>
          {step === "use" || use === null ? (
            <UseCaseStep use={use} next={(chosen) => goToStep(getNextStep("use", chosen) ?? "chat", chosen)} />
          ) : step === "key" ? (
            <KeyStep
              secret={secret}
              onCreated={setSecret}
              next={next}
              suggestion={use === "assistant" ? t`coding assistant` : t`first program`}
            />
          ) : step === "call" ? (
            <CallStep use={use} model={model} secret={secret} next={next} />
          ) : (
            <ChatStep model={model} finish={finish} />
          )}
        </div>
      </div>
    </div>
  );
}

type ProgressProps = { steps: readonly Step[]; step: Step; canNavigate: boolean; go(step: Step): void };

/** The list of steps. All can be opened once a purpose is chosen; before that only the first. */
function Progress({ steps, step, canNavigate, go }: ProgressProps) {
  const currentIndex = steps.indexOf(step);
  return (
    <nav aria-label={t`Steps`}>
      <ol className={styles.steps}>
        {steps.map((name, index) => (
          <li key={name}>
            <button
              type="button"
              aria-current={name === step ? "step" : undefined}
              disabled={!canNavigate && index > 0}
              onClick={() => go(name)}
            >
              <span className="num faint" aria-hidden="true">
                {index + 1}
              </span>
              {STEP_LABELS[name]}
              {index < currentIndex ? <span className="small faint">{t`done`}</span> : null}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(warmModelsQuery);
